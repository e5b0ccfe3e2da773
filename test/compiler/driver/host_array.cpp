// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of host arrays, .npy round trips, and the measures of compare.
#include "driver/compare.h"
#include "driver/tensor_file.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

using namespace sinter;

namespace {
template <class T>
HostArray arrayOf(ElementType type, std::initializer_list<T> values) {
  HostArray array = HostArray::zeros(type, {static_cast<int64_t>(values.size())});
  std::memcpy(array.bytes.data(), values.begin(), values.size() * sizeof(T));
  return array;
}
HostArray floats(std::initializer_list<float> values) { return arrayOf(ElementType::Float, values); }
constexpr float infinity = std::numeric_limits<float>::infinity();
} // namespace

TEST_CASE("elements") {
  CHECK(numberAt(arrayOf<uint16_t>(ElementType::Float16, {0x3c00, 0xc000}), 1) == -2.0);
  CHECK(numberAt(arrayOf<uint16_t>(ElementType::BFloat16, {0x3f80}), 0) == 1.0);
  CHECK(numberAt(arrayOf<uint8_t>(ElementType::Float8E4M3FN, {0x38}), 0) == 1.0);
  CHECK(numberAt(arrayOf<uint64_t>(ElementType::UInt64, {~uint64_t(0)}), 0) == doctest::Approx(1.8446744073709552e19));
  CHECK(numberAt(arrayOf<int8_t>(ElementType::Int8, {-128}), 0) == -128.0);
  HostArray nibbles = HostArray::zeros(ElementType::Int4, {3});
  CHECK(nibbles.bytes.size() == 2);
  nibbles.bytes = packed(ElementType::Int4, StringRef("\x01\xff\xf8", 3));
  CHECK(numberAt(nibbles, 0) == 1.0);
  CHECK(numberAt(nibbles, 1) == -1.0);
  CHECK(numberAt(nibbles, 2) == -8.0);
}

TEST_CASE("npy round trip") {
  std::string problem;
  HostArray array = HostArray::zeros(ElementType::Float, {2, 3});
  array.bytes.replace(0, 4, "abcd");
  std::optional<HostArray> back = parseNpy(toNpy(array), ElementType::Float, problem);
  REQUIRE_MESSAGE(back.has_value(), problem);
  CHECK(back->dims == array.dims);
  CHECK(back->bytes == array.bytes);

  HostArray strings = HostArray::zeros(ElementType::String, {2});
  strings.strings = {"", "grün"};
  back = parseNpy(toNpy(strings), ElementType::String, problem);
  REQUIRE_MESSAGE(back.has_value(), problem);
  CHECK(back->strings == strings.strings);

  HostArray nibbles = HostArray::zeros(ElementType::UInt4, {3});
  nibbles.bytes = "\x21\x03";
  back = parseNpy(toNpy(nibbles), ElementType::UInt4, problem);
  REQUIRE_MESSAGE(back.has_value(), problem);
  CHECK(back->bytes == nibbles.bytes);

  CHECK(!parseNpy(StringRef(toNpy(array)).drop_back(), ElementType::Float, problem));
  CHECK(problem == "truncated");
  CHECK(!parseNpy("nothing", ElementType::Float, problem));
  const auto headed = [](std::string header) {
    header.resize(118, ' ');
    return std::string("\x93NUMPY\1\0\x76\0", 10) + header;
  };
  for (const char *shape : {"(200000000000,)", "(4294967296, 4294967296)", "(3000000000, 3000000000, 3000000000)"})
    for (const char *type : {"|S0", "<U0", "<f4", "<U1073741825"})
      CHECK(
          !parseNpy(headed("{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + shape + ", }"),
                    ElementType::Float, problem));
}

TEST_CASE("measures") {
  Comparison result = compare(floats({1, 2, 4}), floats({1, 2, 5}));
  CHECK(result.maxAbs == 1.0);
  CHECK(result.maxRel == doctest::Approx(0.2));
  CHECK(result.largest == 5.0);
  CHECK(result.worst == 2);
  CHECK(result.argMaxAgreement == 1.0);
  CHECK(!result.equal);
  CHECK(result.cosine == doctest::Approx(25 / std::sqrt(21.0 * 30.0)));

  CHECK(compare(floats({1}), floats({std::nextafter(1.0f, 2.0f)})).maxUlp == 1);
  CHECK(compare(floats({0.0f}), floats({-0.0f})).maxUlp == 0);
  CHECK(compare(floats({std::nanf(""), infinity}), floats({std::nanf(""), infinity})).equal);
  CHECK(std::isinf(compare(floats({1}), floats({infinity})).maxAbs));
  CHECK(compare(floats({1}), arrayOf<int32_t>(ElementType::Int32, {1})).mismatch == "type float instead of int32");
  CHECK(compare(floats({1}), floats({1, 2})).mismatch == "shape float[1] instead of float[2]");
  CHECK(compare(floats({3, 1}), floats({1, 3})).argMaxAgreement == 0.0);
}

TEST_CASE("closeness is numpy's, exact for integers") {
  std::string why;
  CHECK(allClose(floats({1.0009f}), floats({1}), 1e-3, 0, why));
  CHECK(!allClose(floats({1.0011f}), floats({1}), 1e-3, 0, why));
  CHECK(why == "1 of 1 elements differ, first [0]: 1.00109994 instead of 1");
  CHECK(!allClose(floats({1}), floats({infinity}), 1e-3, 0, why));
  CHECK(allClose(floats({std::nanf("")}), floats({std::nanf("")}), 1e-3, 0, why));
  CHECK(!allClose(floats({1}), floats({std::nanf("")}), 1e-3, 0, why));
  CHECK(allClose(floats({infinity}), floats({infinity}), 1e-3, 0, why));
  CHECK(!allClose(arrayOf<int32_t>(ElementType::Int32, {10000}), arrayOf<int32_t>(ElementType::Int32, {10001}), 1e-3, 0,
                  why));
}
