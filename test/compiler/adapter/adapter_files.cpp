// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of adapters that are cut off or changed anywhere: a problem or other tensors, never a read outside of the file.
// What good ones do: adapter.test.
#include "adapter/adapter.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
/// Copies of their own, so that a sanitizer sees where each ends.
using Read = std::optional<std::string> (*)(llvm::StringRef, std::vector<AdapterTensor> &);
std::optional<std::string> read(Read reader, const std::string &text, std::vector<AdapterTensor> &tensors) {
  tensors.clear();
  std::unique_ptr<char[]> bytes(new char[text.size()]);
  std::memcpy(bytes.get(), text.data(), text.size());
  std::optional<std::string> problem = reader({bytes.get(), text.size()}, tensors);
  for (const AdapterTensor &tensor : tensors)
    if (!problem)
      CHECK(std::string(tensor.bytes).size() == tensor.bytes.size());
  return problem;
}

void breakEverywhere(Read reader, const std::string &good) {
  std::vector<AdapterTensor> tensors;
  REQUIRE(!read(reader, good, tensors));
  for (size_t size = 0; size < good.size(); ++size)
    (void)read(reader, good.substr(0, size), tensors);
  for (size_t i = 0; i < good.size(); ++i)
    for (int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string changed = good;
      changed[i] = static_cast<char>(value);
      (void)read(reader, changed, tensors);
    }
}

std::string safetensors(const std::string &header, size_t data) {
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  return text + header + std::string(data, '\1');
}

/// As onnxruntime wrote it: x.lora_A is float[2, 3], y float16[2].
std::string onnxAdapter() {
  const uint32_t words[] = {8,          0x54524f54, 0xffffffb0, 1,          1,    1,          4, 2, 0x44, 4, 0xffffffd0,
                            0x24,       0x14,       0xa,        4,          4,    0x3c003c00, 1, 2, 0,    1, 0x79,
                            0x14000c,   0x80004,    0x10000c,   0xc,        0x40, 0x28,       1, 4, 0x18, 0, 0x3f800000,
                            0x40000000, 0x40400000, 0x40800000, 0x40a00000, 2,    2,          0, 3, 0,    8, 0x6f6c2e78,
                            0x415f6172, 0};
  return {reinterpret_cast<const char *>(words), sizeof words};
}
} // namespace

TEST_CASE("safetensors: what is there") {
  std::vector<AdapterTensor> tensors;
  const std::string good =
      safetensors(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F16","shape":[2,1],"data_offsets":[4,8]},)"
                  R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                  8);
  REQUIRE(!readSafetensors(good, tensors));
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "a");
  CHECK(tensors[0].dims.empty());
  CHECK(tensors[1].type == ElementType::Float16);
  CHECK(tensors[1].dims == std::vector<int64_t>{2, 1});
  CHECK(tensors[1].bytes.size() == 4);
  breakEverywhere(readSafetensors, good);
}
TEST_CASE("safetensors: what is wrong") {
  auto problemOf = [](const std::string &tensor) {
    std::vector<AdapterTensor> tensors;
    return readSafetensors(safetensors("{\"a\":" + tensor + "}", 8), tensors).value_or("");
  };
  CHECK(problemOf("1") == "tensor 'a' has no dtype, shape and data_offsets");
  CHECK(problemOf(R"({"dtype":"I64","shape":[1],"data_offsets":[0,8]})") ==
        "tensor 'a' is of the type I64, and an adapter's are F32, F16, BF16 or F64");
  CHECK(problemOf(R"({"dtype":"F32","shape":[2],"data_offsets":[4,12]})") == "tensor 'a' lies outside of the file");
  CHECK(problemOf(R"({"dtype":"F32","shape":[2],"data_offsets":[8,4]})") == "tensor 'a' lies outside of the file");
  CHECK(problemOf(R"({"dtype":"F32","shape":[1],"data_offsets":[0,8]})") ==
        "tensor 'a' has another number of bytes than its shape says");
  CHECK(problemOf(R"({"dtype":"F32","shape":[9223372036854775807,4],"data_offsets":[0,8]})") ==
        "tensor 'a' has another number of bytes than its shape says");
  CHECK(problemOf(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})") == "tensor 'a' has a dim below 0");
  CHECK(problemOf(R"([[[[[[[[[[[]]]]]]]]]]])") == "the header is nested too deep");
  CHECK(problemOf(R"({"dtype")") == "the header is no JSON object");
  const std::string tensor = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(problemOf(tensor + ",\"a\":" + tensor) == "tensor 'a' is there twice");
  CHECK(problemOf(tensor + ",\"\\u0061\" :" + tensor) == "tensor 'a' is there twice");
  CHECK(problemOf(tensor + ",\"b\":" + tensor) == "");
  CHECK(problemOf(tensor + R"(,"__metadata__":{"a":"{\"a\":1}","b":"a"})").empty());
}
TEST_CASE("onnx_adapter: what is there, and other versions") {
  std::vector<AdapterTensor> tensors;
  std::string good = onnxAdapter();
  REQUIRE(!readOnnxAdapter(good, tensors));
  REQUIRE(tensors.size() == 2);
  const AdapterTensor &y = tensors[0].name == "y" ? tensors[0] : tensors[1], &x = tensors[tensors[0].name == "y"];
  CHECK(x.name == "x.lora_A");
  CHECK(x.type == ElementType::Float);
  CHECK(x.dims == std::vector<int64_t>{2, 3});
  CHECK(x.bytes.size() == 24);
  CHECK(y.type == ElementType::Float16);
  CHECK(y.dims == std::vector<int64_t>{2});
  CHECK(y.bytes == llvm::StringRef("\0<\0<", 4));
  breakEverywhere(readOnnxAdapter, good);
  good[12] = 2;
  tensors.clear();
  CHECK(readOnnxAdapter(good, tensors) == "the file has version 2 of the format, and this Sinter knows version 1");
}
