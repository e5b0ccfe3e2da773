// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire format: every kind of field, every kind of damage, and what stripTensorData leaves in and out.
#include "frontend/wire.h"

#include <doctest/doctest.h>

using namespace sinter;
using llvm::StringRef;

namespace {
std::string tag(unsigned number, unsigned type) {
  std::string out;
  wire::appendVarint(out, number << 3 | type);
  return out;
}
std::string message(unsigned number, const std::string &bytes) {
  std::string out = tag(number, 2);
  wire::appendVarint(out, bytes.size());
  return out + bytes;
}
std::string number(unsigned field, uint64_t value) {
  std::string out = tag(field, 0);
  wire::appendVarint(out, value);
  return out;
}
bool isMalformed(const std::string &bytes) {
  wire::Reader reader(bytes);
  while (reader.next()) {
  }
  return reader.malformed();
}
wire::Stripped strip(const std::string &bytes, const Limits &limits = Limits()) {
  return wire::stripTensorData(bytes, wire::Root::Model, limits);
}
Code problemOf(const std::string &bytes, const Limits &limits) {
  auto result = strip(bytes, limits);
  REQUIRE(result.problem.has_value());
  return result.problem->code;
}
const std::string emptyNode = message(1, "");
} // namespace

TEST_CASE("fields of every type") {
  std::string bytes = number(1, 300) + message(2, "abc") + tag(3, 5) + std::string("\1\2\3\4", 4) + tag(4, 1) +
                      std::string("\1\0\0\0\0\0\0\x80", 8);
  wire::Reader reader(bytes);
  auto field = reader.next();
  CHECK(field->number == 1);
  CHECK(field->value == 300);
  CHECK(reader.next()->bytes == "abc");
  CHECK(reader.next()->value == 0x04030201);
  CHECK(reader.next()->value == 0x8000000000000001);
  CHECK(!reader.next());
  CHECK(!reader.malformed());
}

TEST_CASE("groups are skipped, however deep up to 100") {
  auto nested = [](unsigned depth) {
    std::string bytes;
    for (unsigned i = 0; i < depth; ++i)
      bytes += tag(9, 3);
    for (unsigned i = 0; i < depth; ++i)
      bytes += tag(9, 4);
    return bytes + number(1, 7);
  };
  std::string bytes = nested(100);
  wire::Reader reader(bytes);
  CHECK(reader.next()->value == 7);
  CHECK(isMalformed(nested(101)));
  CHECK(isMalformed(tag(9, 3) + tag(8, 4)));
  CHECK(isMalformed(tag(9, 3)));
  CHECK(isMalformed(tag(9, 4)));
}

TEST_CASE("damage") {
  CHECK(isMalformed("\x80"));
  CHECK(isMalformed(std::string(11, '\xff')));
  CHECK(isMalformed(tag(0, 0) + "\1"));
  CHECK(isMalformed(tag(1, 6)));
  CHECK(isMalformed(tag(1, 7)));
  CHECK(isMalformed(tag(1, 5) + "abc"));
  CHECK(isMalformed(tag(1, 1) + "abcdefg"));
  CHECK(isMalformed(tag(1, 2) + "\4abc"));
  CHECK(isMalformed(tag(1, 2) + std::string(9, '\xff') + "\1")); // a length of 2^64 - 1
  CHECK(isMalformed("version https://git-lfs.github.com/spec/v1\n"));
}

TEST_CASE("tensor data stays where it is") {
  std::string data(1000, 'x');
  std::string tensor =
      number(1, 1000) + number(2, 2) + message(8, "w") + message(9, data) + message(12, "a doc string");
  std::string bytes = message(7, message(5, tensor) + message(10, "what it is")) + message(99, "unknown");
  auto result = strip(bytes);
  CHECK(!result.problem);
  CHECK(result.bytes.size() < 100);
  CHECK(!StringRef(result.bytes).contains("xxx"));
  CHECK(!StringRef(result.bytes).contains("doc"));
  CHECK(!StringRef(result.bytes).contains("unknown"));
  CHECK(StringRef(result.bytes).contains("w"));
  CHECK(StringRef(result.bytes).contains("what it is"));
}

TEST_CASE("what exporters say of nodes is left out, but modules where they are asked for") {
  const std::string scopes = message(1, "pkg.torch.onnx.name_scopes") + message(2, "['', 'fc', 'linear']"),
                    trace = message(1, "pkg.torch.onnx.stack_trace") + message(2, "File");
  const std::string model = message(7, message(1, message(9, trace) + message(9, scopes)));
  for (bool namesModules : {false, true}) {
    std::string kept = wire::stripTensorData(model, wire::Root::Model, Limits(), namesModules).bytes;
    CHECK((kept.find("linear") != std::string::npos) == namesModules);
    CHECK(kept.find("File") == std::string::npos);
  }
}
TEST_CASE("a second graph is damage, not a merge") {
  CHECK(problemOf(message(7, "") + message(7, ""), Limits()) == Code::UnreadableModel);
}

TEST_CASE("every truncation of a model ends in a problem or a shorter model") {
  std::string bytes = message(
      7, message(1, message(1, "x") + message(4, "Relu") + message(5, message(1, "a") + message(5, number(2, 1)))));
  for (size_t size = 0; size < bytes.size(); ++size)
    strip(bytes.substr(0, size));
  CHECK(!strip(bytes).problem);
}

TEST_CASE("budgets, at the limit and one above") {
  Limits limits;
  limits.nodes = 3;
  std::string nodes = emptyNode + emptyNode + emptyNode;
  CHECK(!strip(message(7, nodes), limits).problem);
  CHECK(problemOf(message(7, nodes + emptyNode), limits) == Code::TooManyNodes);

  limits = Limits();
  limits.tensors = 2;
  std::string tensors = message(5, "") + message(5, "");
  CHECK(!strip(message(7, tensors), limits).problem);
  CHECK(problemOf(message(7, tensors + message(5, "")), limits) == Code::TooManyTensors);

  limits = Limits();
  limits.metadataUnits = 5 * 8; // model, graph, three nodes
  CHECK(!strip(message(7, nodes), limits).problem);
  CHECK(problemOf(message(7, nodes + emptyNode), limits) == Code::MetadataTooLarge);

  limits = Limits();
  std::string attribute = message(8, std::string(100, '\1'));
  limits.metadataUnits = 4 * 8 + 50; // a packed list: half a unit for each byte
  CHECK(!strip(message(7, message(1, message(5, attribute))), limits).problem);
  limits.metadataUnits -= 1;
  CHECK(problemOf(message(7, message(1, message(5, attribute))), limits) == Code::MetadataTooLarge);

  limits = Limits();
  std::string named = message(2, std::string(1000, 'n'));
  limits.metadataBytes = strip(message(2, std::string(1000, 'n'))).bytes.size();
  CHECK(!strip(named, limits).problem);
  limits.metadataBytes -= 1;
  CHECK(problemOf(named, limits) == Code::MetadataTooLarge);
}

TEST_CASE("depth, at the limit and one above") {
  auto subgraphs = [](unsigned depth) {
    std::string graph = emptyNode;
    for (unsigned i = 0; i < depth; ++i)
      graph = message(1, message(5, message(6, graph)));
    return message(7, graph);
  };
  Limits limits;
  CHECK(!strip(subgraphs(limits.subgraphDepth), limits).problem);
  CHECK(problemOf(subgraphs(limits.subgraphDepth + 1), limits) == Code::TooDeep);

  auto types = [](unsigned depth) {
    std::string type;
    for (unsigned i = 1; i < depth; ++i)
      type = message(4, message(1, type));
    return message(7, message(11, message(2, type)));
  };
  CHECK(!strip(types(limits.typeDepth), limits).problem);
  CHECK(problemOf(types(limits.typeDepth + 1), limits) == Code::TooDeep);
}
