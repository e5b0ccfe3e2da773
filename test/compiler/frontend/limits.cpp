// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Budgets that apply once a model is parsed, each at its limit and one above. Those of the wire format: wire.cpp.
#include "frontend/import.h"
#include "frontend/wire.h"

#include "llvm/Support/MemoryBuffer.h"
#include <doctest/doctest.h>

using namespace sinter;
using llvm::StringRef;

namespace {
std::string message(unsigned number, StringRef bytes) {
  std::string out;
  wire::appendVarint(out, number << 3 | 2);
  wire::appendVarint(out, bytes.size());
  return out + bytes.str();
}
std::string number(unsigned field, uint64_t value) {
  std::string out;
  wire::appendVarint(out, field << 3);
  wire::appendVarint(out, value);
  return out;
}

std::string node(StringRef op, StringRef input, StringRef output, StringRef domain = "") {
  return message(1, input) + message(2, output) + message(4, op) + message(7, domain);
}
/// A model with these fields of GraphProto, whose output is y, and these of ModelProto.
std::string model(const std::string &graph, const std::string &more = "") {
  return number(1, 8) + message(8, number(2, 17)) + message(8, message(1, "local") + number(2, 1)) +
         message(7, graph + message(12, message(1, "y"))) + more;
}
/// An initializer w of type float, all zero.
std::string weight(llvm::ArrayRef<uint64_t> dims, size_t bytes) {
  std::string tensor = number(2, 1) + message(8, "w") + message(9, std::string(bytes, '\0'));
  for (uint64_t dim : dims)
    tensor += number(1, dim);
  return message(5, tensor);
}
std::string withWeight(llvm::ArrayRef<uint64_t> dims, size_t bytes) {
  return model(weight(dims, bytes) + message(1, node("Identity", "w", "y")));
}

/// The code of the first problem, "" for none.
std::string import(const std::string &bytes, const Limits &limits) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics;
  ImportOptions options;
  options.limits = limits;
  auto module = importModelBytes(llvm::MemoryBuffer::getMemBufferCopy(bytes), "", options, context, diagnostics);
  CHECK(!module == diagnostics.hasErrors());
  return diagnostics.hasErrors() ? codeNumber(diagnostics.all()[0].code).str() : "";
}
} // namespace

TEST_CASE("bytes of the file") {
  Limits limits;
  std::string bytes = withWeight({2}, 8);
  limits.modelBytes = bytes.size();
  CHECK(import(bytes, limits) == "");
  limits.modelBytes -= 1;
  CHECK(import(bytes, limits) == "E0501");
}

TEST_CASE("rank") {
  std::vector<uint64_t> dims(16, 1);
  dims.back() = 2;
  CHECK(import(withWeight(dims, 8), Limits()) == "");
  dims.push_back(1);
  CHECK(import(withWeight(dims, 8), Limits()) == "E0506");
}

TEST_CASE("elements") {
  Limits limits;
  limits.elements = 6;
  CHECK(import(withWeight({2, 3}, 24), limits) == "");
  CHECK(import(withWeight({7}, 28), limits) == "E0507");
  CHECK(import(withWeight({0, 7}, 0), limits) == "E0507"); // dims are bounded too, whatever their product
}

TEST_CASE("sizes around powers of two are not mistaken") {
  Limits limits;
  for (uint64_t dim : {uint64_t(1) << 31, uint64_t(1) << 32, uint64_t(1) << 40})
    for (int64_t delta : {-1, 0, 1})
      CHECK(import(withWeight({dim + delta}, 4), limits) == (dim + delta > limits.elements ? "E0507" : "E0108"));
  CHECK(import(withWeight({uint64_t(1) << 62, 4}, 4), limits) == "E0507");
  CHECK(import(withWeight({INT64_MAX, INT64_MAX}, 4), limits) == "E0507");
  CHECK(import(withWeight({UINT64_MAX}, 4), limits) == "E0108"); // -1
}

TEST_CASE("nodes once functions are expanded") {
  std::string body = message(1, "F") + message(10, "local") + message(4, "a") + message(5, "b") +
                     message(7, node("Relu", "a", "m")) + message(7, node("Relu", "m", "b")) +
                     message(9, number(2, 17));
  std::string bytes =
      model(weight({2}, 8) + message(1, node("F", "w", "x", "local")) + message(1, node("F", "x", "y", "local")),
            message(25, body));
  Limits limits;
  limits.expandedNodes = 6; // two calls of two nodes each
  CHECK(import(bytes, limits) == "");
  limits.expandedNodes = 5;
  CHECK(import(bytes, limits) == "E0503");
}

TEST_CASE("bytes of sparse tensors made dense") {
  auto sparse = [](StringRef name) {
    std::string values = number(1, 1) + number(2, 1) + message(8, name) + message(9, StringRef("\0\0\x80\x3f", 4));
    std::string indices = number(1, 1) + number(2, 7) + message(9, StringRef("\1\0\0\0\0\0\0\0", 8));
    return message(15, message(1, values) + message(2, indices) + number(3, 100));
  };
  std::string one = model(sparse("w") + message(1, node("Identity", "w", "y")));
  Limits limits;
  limits.expandedBytes = 400;
  CHECK(import(one, limits) == "");
  limits.expandedBytes = 399;
  CHECK(import(one, limits) == "E0507");
  std::string two = model(sparse("w") + sparse("v") + message(1, node("Identity", "w", "y")));
  limits.expandedBytes = 400;
  limits.expandedBytesTotal = 800;
  CHECK(import(two, limits) == "");
  limits.expandedBytesTotal = 799;
  CHECK(import(two, limits) == "E0507");
}

TEST_CASE("decoded numbers and strings") {
  std::string ints = message(5, number(2, 7) + message(8, "w") + number(1, 100) + message(7, std::string(100, '\1')));
  std::string bytes = model(ints + message(1, node("Identity", "w", "y")));
  Limits limits;
  limits.expandedBytesTotal = 800;
  CHECK(import(bytes, limits) == "");
  limits.expandedBytesTotal = 799;
  CHECK(import(bytes, limits) == "E0507");

  std::string strings =
      message(5, number(2, 8) + message(8, "w") + number(1, 3) + message(6, "a") + message(6, "b") + message(6, "c"));
  bytes = model(strings + message(1, node("Identity", "w", "y")));
  limits = Limits();
  limits.strings = 3;
  CHECK(import(bytes, limits) == "");
  limits.strings = 2;
  CHECK(import(bytes, limits) == "E0507");
}

TEST_CASE("problems are reported up to a number") {
  std::string nodes;
  for (unsigned i = 0; i < 20; ++i)
    nodes += message(1, node("Nonsense", "nowhere", "v" + std::to_string(i)));
  Limits limits;
  limits.problems = 7;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics;
  ImportOptions options;
  options.limits = limits;
  CHECK(!importModelBytes(llvm::MemoryBuffer::getMemBufferCopy(model(nodes)), "", options, context, diagnostics));
  CHECK(diagnostics.all().size() == 7);
}

TEST_CASE("what the summary tells") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics;
  ModelSummary summary;
  std::string bytes = withWeight({2}, 8);
  CHECK(importModelBytes(llvm::MemoryBuffer::getMemBufferCopy(bytes), "", ImportOptions(), context, diagnostics,
                         &summary));
  CHECK(summary.sha256.size() == 64);
  CHECK(summary.bytes == bytes.size());
  CHECK(summary.irVersion == 8);
  CHECK(summary.opsets.size() == 2);
  CHECK(summary.externalFiles.empty());
}
