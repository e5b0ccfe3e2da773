// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoded pictures: each format against pixels that are known, channels in each order, and streams that are cut short
// or changed at random, which end with a status and touch nothing (images_malformed.test.cpp).
#include "encoded_pictures.h"

#include "doctest/doctest.h"

using namespace pictures;

namespace {

std::vector<uint8_t> formula() {
  std::vector<uint8_t> pixels;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 8; ++x)
      for (int value : {x * 31, y * 47, x * y * 13})
        pixels.push_back(static_cast<uint8_t>(value % 256));
  return pixels;
}

std::vector<uint8_t> bytesOf(std::initializer_list<int> list) {
  std::vector<uint8_t> bytes;
  for (int byte : list)
    bytes.push_back(static_cast<uint8_t>(byte));
  return bytes;
}

void append(std::vector<uint8_t> &bytes, uint64_t value, int count) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

struct Bitmap {
  int32_t width, height;
  uint16_t bits;
  uint32_t compression = 0;
  std::vector<uint32_t> masks, palette;
  std::vector<uint8_t> pixels;

  std::vector<uint8_t> stream() const {
    std::vector<uint8_t> bytes{'B', 'M'};
    const size_t offset = 54 + 4 * (masks.size() + palette.size());
    append(bytes, offset + pixels.size(), 8);
    append(bytes, offset, 4);
    append(bytes, 40, 4);
    append(bytes, static_cast<uint32_t>(width), 4);
    append(bytes, static_cast<uint32_t>(height), 4);
    append(bytes, 1, 2);
    append(bytes, bits, 2);
    append(bytes, compression, 4);
    append(bytes, pixels.size(), 4);
    append(bytes, 0, 8);
    append(bytes, palette.size(), 8);
    for (const auto *list : {&masks, &palette})
      for (uint32_t word : *list)
        append(bytes, word, 4);
    bytes.insert(bytes.end(), pixels.begin(), pixels.end());
    return bytes;
  }
};

TEST_CASE("formats without loss") {
  for (const char *text : {png, bmp, ppm, tiffRows, tiffTurned, webp, jp2, j2k}) {
    Decoded made = decode(fromBase64(text));
    CAPTURE(text);
    CHECK(made.status == 0);
    CHECK(made.height == 5);
    CHECK(made.width == 8);
    CHECK(made.pixels == formula());
  }
}

TEST_CASE("JPEG as Pillow decodes it") {
  CHECK(decode(fromBase64(jpeg)).pixels == fromBase64(jpegPixels));
  CHECK(decode(fromBase64(jpegInScans)).pixels == fromBase64(jpegInScansPixels));
}

TEST_CASE("orders of channels, and gray") {
  const std::vector<uint8_t> rgb = formula();
  for (const char *text : {png, bmp, ppm, tiffRows, webp, jp2}) {
    const std::vector<uint8_t> bgr = decode(fromBase64(text), PixelFormat::Bgr).pixels;
    const std::vector<uint8_t> gray = decode(fromBase64(text), PixelFormat::Grayscale).pixels;
    REQUIRE(bgr.size() == rgb.size());
    REQUIRE(gray.size() == rgb.size() / 3);
    for (size_t i = 0; i < gray.size(); ++i) {
      const uint8_t *at = &rgb[3 * i];
      CHECK(bgr[3 * i] == at[2]);
      CHECK(bgr[3 * i + 1] == at[1]);
      CHECK(bgr[3 * i + 2] == at[0]);
      CHECK(gray[i] == (at[0] * 19595 + at[1] * 38470 + at[2] * 7471 + 32768) / 65536);
    }
  }
}

TEST_CASE("portable maps") {
  const auto pixels = [](std::string text) {
    return decode({text.begin(), text.end()}, PixelFormat::Grayscale).pixels;
  };
  CHECK(pixels("P1\n# two rows\n3 2\n101\n0 1 0\n") == bytesOf({0, 255, 0, 255, 0, 255}));
  CHECK(pixels(std::string("P4 3 2\n\xa0\x40", 9)) == bytesOf({0, 255, 0, 255, 0, 255}));
  CHECK(pixels("P2 3 1 4 0 1 3") == bytesOf({0, 64, 191})); // 63.75, 191.25
  CHECK(pixels("P2 2 1 2 1 2") == bytesOf({128, 255}));     // 127.5, to even
  CHECK(pixels(std::string("P5 2 1 1000 \x01\xf4\x03\xe8", 16)) == bytesOf({128, 255}));
  CHECK(decode(std::vector<uint8_t>{'P', '3', ' ', '1', ' ', '1', ' ', '3', ' ', '1', ' ', '2', ' ', '3'}).pixels ==
        bytesOf({85, 170, 255}));
}

TEST_CASE("portable maps that are none") {
  for (std::string text : {"P5 2 1 255 x", "P2 2 1 4 1 5", "P2 2 1 0 0 0", "P2 2 1 70000 1 1", "P2 0 1 4", "P2 x",
                           "P7 1 1 1 1", "P2 4294967297 1 4 1", "P1 2 1 12", "P5 1 1 255"})
    CHECK(decode({text.begin(), text.end()}).status == sinter::kInvalidData);
}

TEST_CASE("bitmaps: palettes, runs, masks, rows from the top") {
  const std::vector<uint32_t> palette{0x010203, 0x0a0b0c, 0xff0000, 0x00ff00};
  const auto firsts = [](const Bitmap &bitmap) { // the red of each pixel
    Decoded made = decode(bitmap.stream());
    CHECK(made.status == 0);
    std::vector<uint8_t> reds;
    for (size_t i = 0; i < made.pixels.size(); i += 3)
      reds.push_back(made.pixels[i]);
    return reds;
  };
  CHECK(firsts({3, 2, 8, 0, {}, palette, bytesOf({0, 1, 2, 0, 3, 3, 0, 0})}) == bytesOf({0, 0, 1, 1, 10, 255}));
  CHECK(firsts({3, -2, 4, 0, {}, palette, bytesOf({0x01, 0x20, 0, 0, 0x33, 0, 0, 0})}) ==
        bytesOf({1, 10, 255, 0, 0, 1}));
  CHECK(firsts({9, 1, 1, 0, {}, {0x010203, 0xff0000}, bytesOf({0x81, 0x80, 0, 0})}) ==
        bytesOf({255, 1, 1, 1, 1, 1, 1, 255, 255}));
  // Two of number 2, as they are 1, 0, 3 and a filling byte, the end of the row; then a step over one pixel, and one
  // of 1.
  CHECK(firsts({5, 2, 8, 1, {}, palette, bytesOf({2, 2, 0, 3, 1, 0, 3, 0, 0, 0, 0, 2, 1, 0, 1, 1, 0, 1})}) ==
        bytesOf({1, 10, 1, 1, 1, 255, 255, 10, 1, 0}));
  CHECK(firsts({5, 1, 4, 2, {}, palette, bytesOf({3, 0x12, 0, 3, 0x30, 0x20, 0, 1})}) == bytesOf({10, 255, 10, 0, 1}));
  CHECK(firsts({2, 1, 16, 0, {}, {}, bytesOf({0, 0x7c, 0, 0x04})}) == bytesOf({255, 8}));
  CHECK(firsts({2, 1, 16, 3, {0xf800, 0x07e0, 0x1f}, {}, bytesOf({0, 0xf8, 0, 0x08})}) == bytesOf({255, 8}));
  CHECK(firsts({1, 1, 32, 3, {0xff, 0xff00, 0xff0000}, {}, bytesOf({7, 8, 9, 0})}) == bytesOf({7}));
}

TEST_CASE("bitmaps that are none") {
  const std::vector<uint8_t> row = bytesOf({1, 2, 3, 0});
  for (const Bitmap &bitmap :
       {Bitmap{0, 1, 24, 0, {}, {}, row}, Bitmap{1, 0, 24, 0, {}, {}, row}, Bitmap{-1, 1, 24, 0, {}, {}, row},
        Bitmap{1, INT32_MIN, 24, 0, {}, {}, row}, Bitmap{1, 1, 7, 0, {}, {}, row}, Bitmap{1, 1, 24, 4, {}, {}, row},
        Bitmap{4, 1, 24, 0, {}, {}, row}, Bitmap{1, 2, 24, 0, {}, {}, row}, Bitmap{1, 1, 8, 1, {}, {1, 2}, {1, 0}}})
    CHECK(decode(bitmap.stream()).status != 0);
}

} // namespace
