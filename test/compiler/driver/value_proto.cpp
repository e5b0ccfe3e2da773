// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MapProto: keys of both kinds, and what is none.
#include "driver/host_value.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
std::string text(std::initializer_list<int> bytes) {
  std::string all;
  for (int byte : bytes)
    all.push_back(static_cast<char>(byte));
  return all;
}

/// A field whose contents are bytes.
std::string field(int number, const std::string &bytes) {
  return text({number << 3 | 2, static_cast<int>(bytes.size())}) + bytes;
}

/// A TensorProto of int64 with these dims and one number.
std::string number(int value, std::initializer_list<int> dims = {}) {
  return field(1, text(dims)) + text({0x10, 7}) + field(7, text({value}));
}

std::string problem;
std::optional<HostValue> parse(const std::string &bytes, bool isOptional = false) {
  problem.clear();
  return parseValueProto(bytes, isOptional, HostValue::Map, problem);
}
} // namespace

TEST_CASE("MapProto") {
  std::string values = field(5, field(3, number(4)) + field(3, number(5)));
  std::string integers = text({0x10, 7}) + field(3, text({7, 8})) + values;
  std::optional<HostValue> map = parse(integers);
  REQUIRE(map.has_value());
  CHECK(map->kind == HostValue::Map);
  CHECK(numberAt(map->tensors[0], 1) == 8.0);
  CHECK(numberAt(map->tensors[1], 0) == 4.0);
  CHECK(parse(text({0x10, 7, 0x18, 7, 0x18, 8}) + values)->tensors[0].size() == 2); // keys that are not packed
  map = parse(text({0x10, 8}) + field(4, "a") + field(4, "") + values);
  REQUIRE(map.has_value());
  CHECK(map->tensors[0].strings == std::vector<std::string>{"a", ""});
  CHECK(parse(text({0x10, 7}))->tensors[0].size() == 0);

  CHECK(parse(field(6, integers), true)->tensors[0].size() == 2);
  CHECK(parse(integers, true)->isPresent);
  CHECK(!parse("", true)->isPresent);
}

TEST_CASE("what is no MapProto") {
  std::string keys = text({0x10, 7}) + field(3, text({7, 8}));
  CHECK(!parse(keys + field(5, field(3, number(4)))));
  CHECK(problem == "a map of 2 keys and 1 values");
  CHECK(!parse(keys + field(5, field(3, number(4, {0})))));
  CHECK(!parse(keys + field(5, field(3, field(1, text({2})) + text({0x10, 7}) + field(7, text({1, 2}))))));
  CHECK(problem == "a map whose values are no single numbers or strings of one type");
  CHECK(!parse(text({0x10, 1}))); // keys of floats
  CHECK(!parse(text({0x10, 7}) + field(3, text({255}))));
  CHECK(problem == "not a MapProto");
  CHECK(!parse(text({0x1a, 9, 1})));
}
