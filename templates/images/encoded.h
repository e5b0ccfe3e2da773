// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An encoded picture: bytes that anybody may have written, so whoever reads asks first whether they are there.
#pragma once

#include "runtime-lite/view.h"

namespace sinter {
namespace {

struct Encoded {
  const uint8_t *bytes;
  size_t size;

  bool has(size_t at, size_t count) const { return at <= size && count <= size - at; }
  template <size_t N>
  bool beginsWith(const char (&magic)[N], size_t at = 0) const {
    return has(at, N - 1) && memcmp(bytes + at, magic, N - 1) == 0;
  }
  /// Little-endian numbers that are there.
  uint32_t little16(size_t at) const { return bytes[at] | static_cast<uint32_t>(bytes[at + 1]) << 8; }
  uint32_t little32(size_t at) const { return little16(at) | little16(at + 2) << 16; }
};

/// What a decoder finds in the stream's head; a picture has at least one pixel.
struct PictureSize {
  int64_t height = 0, width = 0;
};

} // namespace
} // namespace sinter
