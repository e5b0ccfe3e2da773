// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments against the PTX manual's formulas, written out once more for each shape: "Matrix fragments for mma.m16n8k16
// with floating point type", "... m16n8k8 with .tf32", "... m16n8k32 with integer type", "ldmatrix".
#include "device_test.h"

#include "templates/cuda/matrix_unit.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

struct Place {
  int row, column;
};
/// Element i of a lane's A (or B) as the manual numbers them, i over all elements of all registers.
Place placeOfA16(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {(i >= 0 && i < 2) || (i >= 4 && i < 6) ? group : group + 8, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
Place placeOfB16(int lane, int i) { return {lane % 4 * 2 + (i & 1) + (i >= 2 ? 8 : 0), lane >> 2}; }
Place placeOfC(int lane, int i) { return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}; }
#if SINTER_CUDA_ARCH >= 800
Place placeOfATf32(int lane, int i) {
  return {i == 0 || i == 2 ? lane >> 2 : (lane >> 2) + 8, i == 0 || i == 1 ? lane % 4 : lane % 4 + 4};
}
Place placeOfBTf32(int lane, int i) { return {i == 0 ? lane % 4 : lane % 4 + 4, lane >> 2}; }
#endif
Place placeOfA8(int lane, int i) {
  const bool upper = (i >= 0 && i < 4) || (i >= 8 && i < 12);
  return {upper ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
}
Place placeOfB8(int lane, int i) { return {lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane >> 2}; }

/// A warp multiplies whole numbers that every type holds, each lane with what the formulas give it.
template <class T, class B, class PlaceOfA, class PlaceOfB>
void checkProduct(PlaceOfA placeOfA, PlaceOfB placeOfB) {
  using Sum = typename MatrixUnit<T>::Sum;
  constexpr int depth = int(32 / sizeof(T)), perWord = int(4 / sizeof(T));
  Random random(3);
  int a[16][32], b[32][8];
  for (auto &row : a)
    for (int &x : row)
      x = int(random.bits() % 100) - (kSame<T, uint8_t> ? 0 : 50);
  for (auto &row : b)
    for (int &x : row)
      x = int(random.bits() % 100) - 50;
  Tensor<Sum> c(16 * 8);
  REQUIRE(emulation::launch({}, [&] {
            const int lane = threadIndex();
            T wordsA[4 * perWord];
            B wordsB[2 * perWord];
            for (int i = 0; i < 4 * perWord; ++i)
              wordsA[i] = stored<T>(float(a[placeOfA(lane, i).row][placeOfA(lane, i).column]));
            for (int i = 0; i < 2 * perWord; ++i)
              wordsB[i] = stored<B>(float(b[placeOfB(lane, i).row][placeOfB(lane, i).column]));
            uint32_t fragmentA[4], fragmentB[2];
            std::memcpy(fragmentA, wordsA, 16);
            std::memcpy(fragmentB, wordsB, 8);
            Sum sums[4] = {1, 2, 3, 4};
            for (int product = 0; product < MatrixUnit<T>::kProducts; ++product)
              MatrixUnit<T>::multiply(sums, MatrixUnit<T>::operand(fragmentA), MatrixUnit<T>::operand(fragmentB),
                                      product);
            for (int i = 0; i < 4; ++i)
              c[size_t(placeOfC(lane, i).row * 8 + placeOfC(lane, i).column)] = sums[i] - Sum(i + 1);
          }) == "");
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      int expected = 0;
      for (int k = 0; k < depth; ++k)
        expected += a[i][k] * b[k][j];
      CHECK(c.at(i * 8 + j) == expected);
    }
  }
}

} // namespace

TEST_CASE("products of each type follow the manual's fragments") {
  checkProduct<f16, f16>(placeOfA16, placeOfB16);
  checkProduct<int8_t, int8_t>(placeOfA8, placeOfB8);
  checkProduct<uint8_t, int8_t>(placeOfA8, placeOfB8);
#if SINTER_CUDA_ARCH >= 800
  checkProduct<bf16, bf16>(placeOfA16, placeOfB16);
  checkProduct<float, float>(placeOfATf32, placeOfBTf32);
#endif
}

TEST_CASE("loadMatrices gives word t of row g of each matrix, loadTransposed the columns") {
  Tensor<uint32_t> plain(32 * 4);
  Tensor<uint32_t> transposed(32 * 4);
  emulation::Grid grid;
  grid.sharedBytes = 32 * 16;
  REQUIRE(emulation::launch(grid, [&] {
            uint16_t *const shared = sharedMemoryAs<uint16_t>();
            const int lane = threadIndex();
            for (int i = 0; i < 8; ++i)
              shared[lane * 8 + i] = uint16_t(lane * 8 + i); // matrix lane / 8, row lane % 8, column i
            syncWarp();
            uint32_t words[4];
            loadMatrices(words, sharedStart() + lane * 16);
            std::memcpy(plain.data() + lane * 4, words, 16);
            loadTransposed(words, sharedStart() + lane * 16);
            std::memcpy(transposed.data() + lane * 4, words, 16);
          }) == "");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t m = 0; m < 4; ++m) {
      const uint32_t at = m * 64 + lane / 4 * 8 + lane % 4 * 2;
      CHECK(plain[lane * 4 + m] == (at | (at + 1) << 16));
      const uint32_t below = m * 64 + lane % 4 * 2 * 8 + lane / 4;
      CHECK(transposed[lane * 4 + m] == (below | (below + 8) << 16));
    }
  }
}

TEST_CASE("the matrix unit rounds toward zero and takes 11 bits of a TF32 operand") {
  Tensor<float> c(2);
  REQUIRE(emulation::launch({}, [&] {
            float sums[4] = {1.0f, 0, 0, 0};
            const bool isFirst = threadIndex() == 0; // a's row 0 and b's column 0, word 0
            const uint32_t one = bitCast<uint32_t>(isFirst ? 1.0f : 0.0f);
            const uint32_t tiny = bitCast<uint32_t>(isFirst ? 0x1.8p-24f : 0.0f);
            MatrixUnit<float>::multiplyOnce(sums, Words<4>{{one, 0, 0, 0}}, Words<2>{{tiny, 0}});
            if (isFirst)
              c[0] = sums[0];
            float more[4] = {};
            MatrixUnit<float>::multiplyOnce(more, Words<4>{{one, 0, 0, 0}},
                                            Words<2>{{bitCast<uint32_t>(isFirst ? 0x1.003fp0f : 0.0f), 0}});
            if (isFirst)
              c[1] = more[0];
          }) == "");
  CHECK(c[0] == 1.0f);        // to nearest it would be 1 + 2^-23
  CHECK(c[1] == 0x1.0000p0f); // what is below 2^-10 does not count
}

TEST_CASE("roundTo goes to nearest even, saturates, and gives 0 for NaN") {
  CHECK(roundTo<int8_t>(2.5f) == 2);
  CHECK(roundTo<int8_t>(-129.0f) == -128);
  CHECK(roundTo<uint8_t>(255.5f) == 255);
  CHECK(roundTo<uint8_t>(-0.6f) == 0);
  CHECK(roundTo<int32_t>(3e9f) == 2147483647);
  CHECK(roundTo<int8_t>(std::nanf("")) == 0);
}

TEST_CASE("expNegative is within 2^-21, down to what float holds") {
  double worst = 0;
  for (float x = 0; x > -103.0f; x -= 0.01f) {
    const double exact = std::exp(double(x));
    worst = std::fmax(worst, std::fabs(double(expNegative(x)) - exact) / std::fmax(exact, 0x1p-126));
  }
  CHECK(worst < 0x1p-21);
  CHECK(expNegative(-INFINITY) == 0.0f);
  CHECK(std::isnan(expNegative(std::nanf(""))));
  CHECK(expNegative(0.0f) == 1.0f);
}
