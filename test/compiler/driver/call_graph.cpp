// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/call_graph.h"

#include <doctest/doctest.h>
#include <string>

using namespace sinter;

namespace {
std::string node(const std::string &name, const std::string &usage) {
  return "node: { title: \"" + name + "\" label: \"" + name + "()\\nkws.cpp:1:2\\n" + usage + "\" }\n";
}
std::string edge(const std::string &from, const std::string &to) {
  return "edge: { sourcename: \"" + from + "\" targetname: \"" + to + "\" label: \"kws.cpp:3:4\" }\n";
}
} // namespace

TEST_CASE("the stack's bound is the longest chain of calls") {
  std::string calls = "graph: { title: \"kws.cpp\"\n" + node("run", "16 bytes (static)") +
                      node("conv", "100 bytes (static)") + node("body", "20 bytes (dynamic,bounded)") +
                      node("add", "110 bytes (static)") + edge("run", "conv") + edge("conv", "body") +
                      edge("run", "add") + edge("run", "__indirect_call");
  CHECK(deepestCalls(calls + "}\n") == 136);
  // Functions without a frame in the file are a library's.
  CHECK(deepestCalls(calls + edge("add", "memcpy") + edge("add", "__aeabi_fmul")) == 16 + 110 + libraryFrame);
  CHECK(deepestCalls("") == 0);
  CHECK(!deepestCalls(calls + node("alloca", "8 bytes (dynamic)")));
  CHECK(!deepestCalls(calls + edge("body", "conv")));
}
