// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoding as generated code does it: the size first, memory for as many pixels, then the pixels.
#pragma once

#include "small_pictures.h"
#include "templates/images/decode_image.h"
#include "templates/images/image_size.h"

#include <string>
#include <vector>

namespace pictures {

using sinter::PixelFormat;

struct Decoded {
  int status;
  int64_t height, width;
  std::vector<uint8_t> pixels;
};

/// As ImageDecoder with a bound.
inline Decoded decode(const std::vector<uint8_t> &stream, PixelFormat format = PixelFormat::Rgb, int64_t most = 64) {
  // An array of its own of just that length, so that a sanitizer sees what lies behind it.
  const std::vector<uint8_t> own(stream);
  const sinter::View<const uint8_t, 1> x{own.data(), {static_cast<int64_t>(own.size())}, {1}};
  int64_t sizes[2] = {-1, -1};
  const int status = sinter::imageSize(x, {sizes, {2}, {1}});
  Decoded made{status, sizes[0], sizes[1], {}};
  if (status == 0 && (made.height > most || made.width > most))
    made.status = sinter::kCapacityExceeded;
  if (made.status != 0)
    return made;
  const int64_t channels = format == PixelFormat::Grayscale ? 1 : 3;
  made.pixels.resize(static_cast<size_t>(made.height * made.width * channels));
  const sinter::DecodeImageParams params = {format == PixelFormat::Bgr};
  made.status = sinter::decodeImage(
      params, x, {made.pixels.data(), {made.height, made.width, channels}, {made.width * channels, channels, 1}});
  return made;
}

inline std::vector<uint8_t> fromBase64(const std::string &text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<uint8_t> bytes;
  unsigned held = 0, bits = 0;
  for (char letter : text) {
    const size_t digit = digits.find(letter);
    if (digit == std::string::npos) // it fills up the end
      break;
    held = held << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<uint8_t>(held >> bits));
    }
  }
  return bytes;
}

} // namespace pictures
