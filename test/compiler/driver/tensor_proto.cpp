// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorProto's many ways to hold data.
#include "driver/tensor_file.h"

#include <doctest/doctest.h>

using namespace llvm;
using namespace sinter;

namespace {
std::optional<HostArray> parse(std::initializer_list<int> bytes, std::string *why = nullptr) {
  std::string text, problem;
  for (int byte : bytes)
    text.push_back(static_cast<char>(byte));
  std::optional<HostArray> array = parseTensorProto(text, problem);
  if (why)
    *why = problem;
  return array;
}
} // namespace

TEST_CASE("TensorProto") {
  // dims: 2; data_type: int32; int32_data, packed: 1, -1
  std::optional<HostArray> array =
      parse({0x08, 2, 0x10, 6, 0x2a, 11, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1});
  REQUIRE(array.has_value());
  CHECK(array->dims == std::vector<int64_t>{2});
  CHECK(numberAt(*array, 1) == -1.0);

  // dims packed: [1, 1]; type float; float_data unpacked: 1.0
  array = parse({0x0a, 2, 1, 1, 0x10, 1, 0x25, 0, 0, 0x80, 0x3f});
  REQUIRE(array.has_value());
  CHECK(array->dims.size() == 2);
  CHECK(numberAt(*array, 0) == 1.0);

  // type string, scalar: "ab"
  array = parse({0x10, 8, 0x32, 2, 'a', 'b'});
  REQUIRE(array.has_value());
  CHECK(array->strings[0] == "ab");

  // float6e2m3, raw stream of four in three bytes: 0, 1.0 (code 8), 0, -1.0 (code 40)
  array = parse({0x08, 4, 0x10, 27, 0x4a, 3, 0x00, 0x02, 0xa0});
  REQUIRE(array.has_value());
  CHECK(numberAt(*array, 1) == 1.0);
  CHECK(numberAt(*array, 3) == -1.0);

  std::string why;
  CHECK(!parse({0x08, 2, 0x10, 1, 0x25, 0, 0, 0x80, 0x3f}, &why));
  CHECK(why == "its data does not fit its shape");
  CHECK(!parse({0x08}, &why));
  CHECK(why == "not a TensorProto");
}
