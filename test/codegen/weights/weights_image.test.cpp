// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/weights/weights_image.h"

#include <doctest/doctest.h>
#include <string>

using namespace sinter;

static int64_t append(WeightsImage &image, const std::string &bytes) {
  return image.append(llvm::ArrayRef(bytes.data(), bytes.size()));
}

static std::string read(const WeightsImage &image, int64_t from, int64_t to) {
  std::string all;
  CHECK(image.forEachPiece(from, to, [&](llvm::ArrayRef<char> piece) {
    all.append(piece.data(), piece.size());
    return true;
  }));
  return all;
}

TEST_CASE("tensors are aligned, equal ones stored once") {
  WeightsImage image(16);
  CHECK(append(image, "abc") == 0);
  CHECK(append(image, "defg") == 16);
  CHECK(append(image, "abc") == 0);
  CHECK(append(image, "abd") == 32);
  CHECK(image.size() == 35);
  CHECK(read(image, 0, 20) == "abc" + std::string(13, '\0') + "defg");
  CHECK(read(image, 33, 35) == "bd");
}

TEST_CASE("more than one piece, and readers that stop") {
  WeightsImage image(1);
  std::string large(3 << 20, 'x');
  large.back() = 'y';
  append(image, large);
  CHECK(read(image, 0, image.size()) == large);
  CHECK_FALSE(image.forEachPiece(0, image.size(), [](llvm::ArrayRef<char>) { return false; }));
}
