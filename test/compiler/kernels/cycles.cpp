// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimates of kernels on a target with vectors of eight floats: 1.2 vectors a cycle, four cycles from one addition
// to the next.
#include "kernels/cycles.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
Target vectors(int64_t l2 = 512) {
  Target target;
  target.vectorBytes = 32;
  target.vectorRegisters = 16;
  target.l2Kbytes = l2;
  return target;
}
ProductSizes product(int64_t m, int64_t n, int64_t k, int64_t batch = 1) { return {batch, m, n, k, m}; }
} // namespace

TEST_CASE("what the target says of a multiply-add goes before its vectors") {
  CHECK(cyclesPerMac(vectors()) == doctest::Approx(1 / 9.6));
  CHECK(cyclesPerMac(vectors(0)) == doctest::Approx(1 / 1.2));
  Target counted = vectors();
  counted.costs = KernelCosts();
  counted.costs->perMac = 1.5;
  CHECK(cyclesPerMac(counted) == 1.5);
}

TEST_CASE("tiles of 6 x 16: whole columns, the rows that are there, and no faster than additions follow") {
  Target target = vectors();
  CHECK(tileCycles(target, product(6, 16, 100), 6, 16) == doctest::Approx(12 / 1.2 * 100));
  CHECK(tileCycles(target, product(6, 1, 100), 6, 16) == doctest::Approx(12 / 1.2 * 100));
  CHECK(tileCycles(target, product(9, 17, 100, 2), 6, 16) == doctest::Approx(2 * 2 * (10 + 5) * 100));
  CHECK(tileCycles(target, product(1, 16, 100), 6, 16) == doctest::Approx(4 * 100)); // 2 sums wait
}

TEST_CASE("columns that are left go by a vector, by fours, one by one") {
  // 16, 8, 4 and 1 columns, of 6 rows each: 12 vectors, and three times 6
  CHECK(rowCycles(vectors(), product(6, 29, 10), 6, 16) == doctest::Approx((12 / 1.2 + 3 * 6 / 1.2) * 10));
}

TEST_CASE("one column of a long sum: in vectors along k where both sides lie so, not one by one") {
  Target target = vectors();
  ProductSizes column = product(64, 1, 1024);
  CHECK(dotCycles(target, column) < rowCycles(target, column, 6, 16));
  CHECK(rowCycles(target, column, 6, 16) < scalarCycles(target, column));
  CHECK(dotCycles(target, product(64, 64, 8)) > rowCycles(target, product(64, 64, 8), 6, 16));
}

TEST_CASE("along rows: up to six filters at a time, a vector that is not full costs a whole one") {
  Target target = vectors();
  ProductSizes map{1, 9 * 10, 4, 27, 9}; // ten rows of nine
  CHECK(alongRowCycles(target, map) == doctest::Approx(10 * 27 * 2 * 4.0));
  map.n = 5;
  CHECK(alongRowCycles(target, map) == doctest::Approx(10 * 27 * 2 * 5 / 1.2));
  map.n = 7; // three and four, each waiting for its additions
  CHECK(alongRowCycles(target, map) == doctest::Approx(10 * 27 * (2 * 4.0 + 2 * 4.0)));
}

TEST_CASE("bytes: four products to an accumulator where there are instructions for it") {
  Target target = vectors();
  target.byteKernels = ByteKernels::Dot4;
  double plain = byteCycles(target, product(2, 3, 5));
  target.dotProduct = DotProduct::Vnni;
  CHECK(plain == doctest::Approx(30 / 9.6));
  CHECK(byteCycles(target, product(2, 3, 5)) == doctest::Approx(plain / 4));
}
