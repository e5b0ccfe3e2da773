// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the lines `node: { title: "f" label: "...\n16 bytes (static)\n..." }` and `edge: { sourcename: "f" targetname:
// "g"
// ... }`.
#include "driver/call_graph.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

using namespace llvm;

namespace sinter {
namespace {
struct Function {
  int64_t frame = libraryFrame;
  bool isBounded = true;
  std::vector<StringRef> calls;
  enum { New, Open, Done } state = New;
  int64_t depth = 0;
};

/// What stands in quotes behind `key`.
StringRef quoted(StringRef line, StringRef key) {
  size_t at = line.find(key);
  return at == StringRef::npos ? StringRef() : line.drop_front(at + key.size()).split('"').second.split('"').first;
}

void readNode(StringRef line, Function &function) {
  SmallVector<StringRef> parts;
  quoted(line, " label:").split(parts, "\\n");
  for (StringRef part : parts) {
    auto [number, kind] = part.split(" bytes (");
    int64_t bytes;
    if (kind.empty() || number.getAsInteger(10, bytes))
      continue;
    function.frame = bytes;
    function.isBounded = kind != "dynamic)";
  }
}

/// False where there is no bound.
bool measureDepth(StringMap<Function> &functions, StringRef name) {
  Function &function = functions[name];
  if (function.state == Function::Done)
    return true;
  if (function.state == Function::Open || !function.isBounded)
    return false;
  function.state = Function::Open;
  for (StringRef callee : function.calls) {
    if (!measureDepth(functions, callee))
      return false;
    function.depth = std::max(function.depth, functions[callee].depth);
  }
  function.depth += function.frame;
  function.state = Function::Done;
  return true;
}
} // namespace

std::optional<int64_t> deepestCalls(StringRef callGraph) {
  StringMap<Function> functions;
  functions["__indirect_call"].frame = 0;
  SmallVector<StringRef> lines;
  callGraph.split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    if (line.starts_with("node:")) {
      Function &function = functions[quoted(line, " title:")];
      readNode(line, function);
    } else if (line.starts_with("edge:")) {
      functions[quoted(line, " sourcename:")].calls.push_back(quoted(line, " targetname:"));
    }
  }
  // No entry may come in while depths are measured: references would move.
  std::vector<StringRef> called;
  for (auto &entry : functions)
    called.insert(called.end(), entry.second.calls.begin(), entry.second.calls.end());
  for (StringRef name : called)
    functions.try_emplace(name);
  int64_t deepest = 0;
  for (auto &entry : functions) {
    if (!measureDepth(functions, entry.first()))
      return std::nullopt;
    deepest = std::max(deepest, entry.second.depth);
  }
  return deepest;
}

} // namespace sinter
