// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's errors as the status that a call returns, and as text.
#pragma once

#include "runtime-lite/cuda/driver.h"
#include "runtime-lite/index.h"

#include <string.h>

namespace sinter {
namespace {

/// Statuses of the ABI: those of index.h, and these.
using Status = int;
[[maybe_unused]] constexpr Status kDone = 0, kDevice = 7;

struct DriverErrors {
  static Status statusOf(CuResult result) {
    switch (result) {
    case 0:
      return kDone;
    case 2: // out of memory
      return kCapacityExceeded;
    case 200: // an image that is invalid,
    case 209: // that has no code for this GPU,
    case 218: // PTX that is invalid,
    case 221: // that no compiler of the driver is there for,
    case 222: // that is too new,
    case 223: // that may not be compiled
      return kUnsupportedCpu;
    default:
      return kDevice;
    }
  }

  /// Errors that the context does not survive: memory that does not work, kernels that went wrong.
  static bool isLasting(CuResult result) {
    switch (result) {
    case 4:   // the driver has shut down
    case 214: // ECC, NVLink, contained
    case 220:
    case 226:
    case 700: // illegal address
    case 702: // timeout
    case 709: // the context was destroyed
    case 710: // assert
    case 721: // tensor memory leak
      return true;
    default:
      return result >= 714 && result <= 719; // illegal instruction, misaligned address, launch failed, ...
    }
  }
};

/// Text of a limited length; what does not fit is left out.
struct ErrorText {
  char text[256];

  void clear() { text[0] = '\0'; }
  void append(const char *more) {
    const size_t length = strlen(text), room = sizeof(text) - 1 - length, wanted = strlen(more);
    const size_t bytes = wanted < room ? wanted : room;
    memcpy(text + length, more, bytes);
    text[length + bytes] = '\0';
  }
  void append(int number) {
    char digits[12];
    char *begin = digits + sizeof(digits) - 1;
    *begin = '\0';
    unsigned rest = number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    do
      *--begin = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
      *--begin = '-';
    append(begin);
  }
};

} // namespace
} // namespace sinter
