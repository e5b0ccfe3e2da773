// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the libraries in this program would take from glibc 2.35 and 2.36, in terms of older ones: the
// compiler then runs where the C library is three years older than that of the machine that built it (the wheel of
// docs/python.md). test/python/wheel.py holds that no newer one is asked for.
#include <cstdint> // says __GLIBC__
#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/random.h>

#ifdef __x86_64__
#define SINTER_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define SINTER_FIRST_GLIBC "GLIBC_2.17"
#endif
// The versions of 2.35 only leave errno as it is.
__asm__(".symver hypotOfFirstGlibc, hypot@" SINTER_FIRST_GLIBC);
__asm__(".symver hypotfOfFirstGlibc, hypotf@" SINTER_FIRST_GLIBC);

extern "C" {
double hypotOfFirstGlibc(double, double);
float hypotfOfFirstGlibc(float, float);
double hypot(double x, double y) { return hypotOfFirstGlibc(x, y); }
float hypotf(float x, float y) { return hypotfOfFirstGlibc(x, y); }

/// Since 2.36; the system's call is older.
uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
  }
  return value;
}
}
#endif
