// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What __builtin_cpu_supports() asks, for zig-c++: Zig's own run-time library has it, and says of each feature that the
// CPU lacks it. Features are those that targets check (targets/x86-64-*.yaml), with their numbers in the ABI that GCC's
// and LLVM's libraries share.
#if defined(__x86_64__)
#include <cpuid.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN struct {
  unsigned vendor, type, subtype, features[1];
} __cpu_model;
HIDDEN unsigned __cpu_features2[4];

static void set(int feature, unsigned isThere) {
  unsigned *words = feature < 32 ? __cpu_model.features : __cpu_features2 + feature / 32 - 1;
  *words |= (isThere & 1u) << feature % 32;
}

HIDDEN __attribute__((constructor)) int __cpu_indicator_init(void) {
  unsigned a, b, c, d, states = 0;
  __cpu_model.vendor = 3; // some other: it is not looked at
  if (!__get_cpuid(1, &a, &b, &c, &d))
    return -1;
  if (c >> 27 & 1) { // the system keeps registers
    unsigned above;
    __asm__("xgetbv" : "=a"(states), "=d"(above) : "c"(0));
  }
  const unsigned wide = (states & 0x6) == 0x6, widest = wide & ((states & 0xe0) == 0xe0),
                 tiles = (states & 0x60000) == 0x60000;
  set(2, c >> 23);         // popcnt
  set(8, c >> 20);         // sse4.2
  set(9, c >> 28 & wide);  // avx
  set(14, c >> 12 & wide); // fma
  set(49, c >> 29 & wide); // f16c
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    set(10, b >> 5 & wide);    // avx2
    set(17, b >> 8);           // bmi2
    set(15, b >> 16 & widest); // avx512f
    set(22, b >> 17 & widest); // avx512dq
    set(23, b >> 28 & widest); // avx512cd
    set(21, b >> 30 & widest); // avx512bw
    set(20, b >> 31 & widest); // avx512vl
    set(34, c >> 11 & widest); // avx512vnni
    set(94, d >> 23 & widest); // avx512fp16
    set(85, d >> 24 & tiles);  // amx-tile
    set(86, d >> 25 & tiles);  // amx-int8
    set(87, d >> 22 & tiles);  // amx-bf16
    const unsigned subleaves = a;
    if (subleaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) {
      set(93, a >> 4 & wide);   // avxvnni
      set(36, a >> 5 & widest); // avx512bf16
    }
  }
  return 0;
}
#endif
