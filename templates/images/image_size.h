// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Height and width of an encoded picture, as its head says. What is no picture is invalid data.
#pragma once

#include "templates/images/read_picture.h"

namespace sinter {
namespace {

/// The bytes of x lie one behind the other.
[[maybe_unused]] static inline int imageSize(const View<const uint8_t, 1> &x, const View<int64_t, 1> &sizes) {
  PictureSize size;
  const int status = readPicture(encoded(x), size, nullptr);
  sizes.data[0] = size.height;
  sizes.data[sizes.strides[0]] = size.width;
  return status;
}

} // namespace
} // namespace sinter
