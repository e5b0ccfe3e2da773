// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warp: when its 32 lanes have come, one function takes what all brought, and gives each its result.
// The matrix unit adds exactly and rounds toward zero, once for each instruction (Ootomo and Yokota measured it).
#include "threads.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace sinter::cuda::emulation {
namespace {

float floatOfBits(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
/// The elements of a word, from the lowest.
int decode(Element element, uint32_t word, double *to) {
  switch (element) {
  case Element::F16:
    to[0] = double(floatOfF16(uint16_t(word)));
    to[1] = double(floatOfF16(uint16_t(word >> 16)));
    return 2;
  case Element::BF16:
    to[0] = double(floatOfBits(word << 16));
    to[1] = double(floatOfBits(word & 0xffff0000u));
    return 2;
  case Element::TF32:
    to[0] = double(floatOfBits(word & 0xffffe000u)); // what is below TF32's bits does not count
    return 1;
  case Element::S8:
  case Element::U8:
    for (int e = 0; e < 4; ++e)
      to[e] = element == Element::S8 ? double(int8_t(word >> 8 * e)) : double(uint8_t(word >> 8 * e));
    return 4;
  }
  return 0;
}
float towardZero(double x) {
  const float f = float(x);
  return std::fabs(double(f)) > std::fabs(x) && std::isfinite(f) ? std::nextafter(f, 0.0f) : f;
}

template <class Sum>
struct Product {
  Element element;
  Sum *c;
  const uint32_t *a, *b;
};
/// Fragments gathered to rows and columns of words, multiplied, added to each lane's part.
template <class Sum>
void multiplyAll(void *const *lanes) {
  const Element element = static_cast<const Product<Sum> *>(lanes[0])->element;
  double rows[16][32], columns[8][32];
  int parts = 0;
  for (int l = 0; l < 32; ++l) {
    const auto &own = *static_cast<const Product<Sum> *>(lanes[l]);
    const int g = l / 4, t = l % 4;
    for (int half = 0; half < 2; ++half) {
      double elements[3][4];
      parts = decode(element, own.a[half * 2], elements[0]);
      decode(element, own.a[half * 2 + 1], elements[1]);
      decode(element == Element::U8 ? Element::S8 : element, own.b[half], elements[2]);
      for (int e = 0; e < parts; ++e) {
        const int k = (t + 4 * half) * parts + e;
        rows[g][k] = elements[0][e];
        rows[g + 8][k] = elements[1][e];
        columns[g][k] = elements[2][e];
      }
    }
  }
  for (int l = 0; l < 32; ++l) {
    const auto &own = *static_cast<const Product<Sum> *>(lanes[l]);
    for (int i = 0; i < 4; ++i) {
      const double *row = rows[l / 4 + i / 2 * 8], *column = columns[l % 4 * 2 + i % 2];
      double sum = double(own.c[i]);
      for (int k = 0; k < 8 * parts; ++k)
        sum += row[k] * column[k];
      if constexpr (std::is_same_v<Sum, float>)
        own.c[i] = towardZero(sum);
      else
        own.c[i] = Sum(uint32_t(int64_t(sum))); // wraps
    }
  }
}

struct Load {
  uint32_t *words;
  const unsigned char *row;
  bool isTransposed;
};
void loadAll(void *const *lanes) {
  for (int m = 0; m < 4; ++m) {
    const unsigned char *rows[8];
    int used[8] = {}, most = 0;
    for (int r = 0; r < 8; ++r) {
      rows[r] = static_cast<const Load *>(lanes[m * 8 + r])->row;
      most = std::max(most, ++used[reinterpret_cast<uintptr_t>(rows[r]) / 16 % 8]);
    }
    ++bankConflicts().loads;
    bankConflicts().extra += most - 1;
    for (int l = 0; l < 32; ++l) {
      const auto &own = *static_cast<const Load *>(lanes[l]);
      const int g = l / 4, t = l % 4;
      uint32_t word = 0;
      for (int byte = 0; byte < 4; ++byte)
        word |= uint32_t(own.isTransposed ? rows[2 * t + byte / 2][2 * g + byte % 2] : rows[g][4 * t + byte])
                << 8 * byte;
      own.words[m] = word;
    }
  }
}

struct Shuffle {
  uint32_t word;
  int from;
  uint32_t result;
};
void shuffleAll(void *const *lanes) {
  for (int l = 0; l < 32; ++l) {
    auto &own = *static_cast<Shuffle *>(lanes[l]);
    own.result = static_cast<const Shuffle *>(lanes[own.from & 31])->word;
  }
}
void nothing(void *const *) {}

} // namespace

void multiply(Element element, float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  Product<float> own{element, c, a, b};
  meetWarp("a product", &own, multiplyAll<float>);
}
void multiply(Element element, int32_t (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  Product<int32_t> own{element, c, a, b};
  meetWarp("a product", &own, multiplyAll<int32_t>);
}
void loadMatrices(uint32_t (&words)[4], const void *row, bool isTransposed) {
  Load own{words, static_cast<const unsigned char *>(row), isTransposed};
  if (reinterpret_cast<uintptr_t>(row) % 16)
    fail("a row of a matrix that is not aligned to 16 bytes");
  if (own.row < sharedMemory() || own.row + 16 > sharedMemory() + sharedBytes())
    fail("a row of a matrix outside of shared memory");
  noteRead(own.row, 16);
  meetWarp("a load of matrices", &own, loadAll);
}
uint32_t shuffle(uint32_t word, int lane) {
  Shuffle own{word, lane, 0};
  meetWarp("a shuffle", &own, shuffleAll);
  return own.result;
}
void syncWarp() { meetWarp("a warp's barrier", nullptr, nothing); }

BankConflicts &bankConflicts() {
  static BankConflicts conflicts;
  return conflicts;
}

} // namespace sinter::cuda::emulation
