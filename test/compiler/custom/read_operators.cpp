// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of custom operators that say too little, too much or nonsense: a message with the line each, and never a
// crash. What a good one makes: custom_ops.test.
#include "custom/read_operators.h"

#include "llvm/Support/MemoryBuffer.h"
#include <doctest/doctest.h>

using namespace sinter;

namespace {
const std::string folder = std::string(SINTER_SOURCE_DIR) + "/samples/custom_op";

std::string goodText() {
  auto file = llvm::MemoryBuffer::getFile(folder + "/operators.yaml");
  REQUIRE(file);
  return (*file)->getBuffer().str();
}

/// The message that reading ends with; empty where it goes well.
std::string messageOf(const std::string &text) {
  llvm::Expected<std::vector<CustomOperator>> read = readCustomOperators(text, "o.yaml", folder);
  if (read)
    return "";
  return llvm::toString(read.takeError());
}

std::string messageWith(llvm::StringRef part, llvm::StringRef instead) {
  std::string text = goodText();
  size_t at = text.find(part.str());
  REQUIRE_MESSAGE(at != std::string::npos, part.str());
  return messageOf(text.replace(at, part.size(), instead.str()));
}
} // namespace

TEST_CASE("a description becomes an operator, a rule and a declaration") {
  llvm::Expected<std::vector<CustomOperator>> read = readCustomOperators(folder + "/operators.yaml");
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  const CustomOperator &average = read->front();
  CHECK(average.rule() == "x[N,C,L] gain[C] window>=1 stride>=1 window<=L");
  CHECK(average.madeShapes().front().text == "[N,C,floor(L-window,stride)+1]");
  CHECK(average.signature() ==
        "template <class T> void example::movingAverage(const T *x, const int64_t *x_dims, const T *gain, const "
        "int64_t *gain_dims, T *y, const int64_t *y_dims, int64_t window, int64_t stride)");
  CHECK(average.attributes[0].isRequired);
  CHECK(!average.attributes[1].isRequired);
  CHECK(average.reference == folder + "/moving_average.py");
}

TEST_CASE("what is no description at all") {
  CHECK(messageOf("") == "o.yaml: no description of custom operators");
  CHECK(messageOf("operators: []") == "o.yaml: there is no operator in it");
  CHECK(messageOf("hello") == "o.yaml: line 1: not a mapping");
  CHECK(messageOf("operators: {a: 1}") == "o.yaml: line 1: not a sequence");
  CHECK(messageOf("operators: [") == "o.yaml: line 1: Could not find closing ]!");
  CHECK(llvm::toString(readCustomOperators(folder + "/none.yaml").takeError()) ==
        folder + "/none.yaml: No such file or directory");
}

TEST_CASE("each text is checked in its line") {
  struct Wrong {
    llvm::StringRef part, instead, message;
  };
  const Wrong all[] = {
      {"name: MovingAverage", "name: M\n  kind: M", "line 5: unknown key 'kind'"},
      {"domain: com.example", "domaine: com.example", "line 3: missing required key 'domain'"},
      {"com.example", "ai.onnx", "line 3: 'ai.onnx' is ONNX's own; custom operators live in a domain of their own"},
      {"com.example", "com example", "line 3: 'com example' is no domain of letters, digits, '.', '_' and '-'"},
      {": MovingAverage", ": Moving-Average", "line 4: 'Moving-Average' is no name of letters, digits and '_'"},
      {"[float, double]", "[float, text]", "line 5: 'text' is none of float, double, float16"},
      {"[float, double]", "[]", "line 5: 'T' is a list of element types"},
      {"\"[N, C, L]\"", "\"[N, C, L\"", "line 7: '[N, C, L' is no shape, such as [N,C,D*]: expected ',' at the end"},
      {"\"[N, C, L]\"", "\"[N, 4*]\"", "line 7: '[N, 4*]' is no shape, such as [N,C,D*]: expected a name instead of 4"},
      {"[N, C, L]", "[f(N), C, L]", "expected one of the functions at, ceil, dim, floor, has, max"},
      {"floor(L - window, stride) + 1", "Q", "line 3: 'Q' in [N,C,Q] is a dim of no input, nor an attribute"},
      {"floor(L - window, stride) + 1", "_", "line 10: '[N, C, _]' leaves a size open"},
      {"floor(L - window, stride) + 1", "1|2", "line 10: '[N, C, 1|2]' leaves a size open"},
      {"type: int}", "type: integer}", "line 12: 'integer' is none of int, float, string, ints, floats"},
      {"default: 1", "default: x", "line 13: invalid number"},
      {"name: stride", "name: window", "line 3: 'window' is there twice"},
      {"window<=L", "window<=", "line 14: 'window>=1 stride>=1 window<=' are no conditions, such as K<=L: expected"},
      {"window<=L", "x[N]", "line 14: 'x[N]' is a shape; it belongs to its input"},
      {"moving_average.h", "none.h", "line 15: 'none.h' is not beside the description"},
      {"moving_average.h", "../main.cpp", "line 15: '../main.cpp' is no plain name of a file beside the description"},
      {"moving_average.h", "main.cpp", "line 15: 'main.cpp' is a source; a header defines the function inline"},
      {"example::movingAverage", "a();b", "line 16: 'a();b' is no name of a C++ function, such as acme::swirl"},
      {"example::movingAverage", "'example::'", "line 16: 'example::' is no name of a C++ function"},
      {"  header:", "  scratch: 4*\n  header:", "line 15: '4*' is no number of bytes, such as 4*N"},
      {"  header:", "  scratch: 4*Z\n  header:", "line 3: 'Z' in [4*Z] is a dim of no input, nor an attribute"},
      {"  header:", "  since: 0\n  header:", "line 3: 'since' is the first opset of the operator, from 1 on"},
      {"{name: y, type: T", "{name: y, type: U", "line 3: the type of 'y': 'U' is none of float, double"},
      {"x, type: T, shape: \"[N, C, L]\"}\n  - {name: gain, type: T", "x, type: float}\n  - {name: gain, type: int8",
       "nothing says which of 'T' the output 'y' is"},
  };
  for (const Wrong &wrong : all) {
    std::string message = messageWith(wrong.part, wrong.instead);
    CHECK_MESSAGE(llvm::StringRef(message).contains(wrong.message), wrong.part.str(), " -> ", wrong.instead.str(), ": ",
                  message);
  }
  CHECK(messageWith("  outputs:\n  - {name: y, type: T, shape: \"[N, C, floor(L - window, stride) + 1]\"}",
                    "  outputs: []") == "o.yaml: line 3: an operator needs an output");
}

TEST_CASE("texts with a piece cut off, doubled or exchanged are read or refused") {
  std::string text = goodText();
  size_t read = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    read += messageOf(text.substr(0, at)).empty();
    for (size_t length : {1, 7}) {
      std::string without = text, doubled = text;
      read += messageOf(without.erase(at, length)).empty();
      read += messageOf(doubled.insert(at, text.substr(at, length))).empty();
    }
    for (char other : {'[', ':', '"', '*', '\xff'}) {
      std::string exchanged = text;
      exchanged[at] = other;
      read += messageOf(exchanged).empty();
    }
  }
  CHECK(read > 0); // in comments, say
}
