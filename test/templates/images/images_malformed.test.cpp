// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams from strangers: cut short at each byte, changed at random, with sizes of billions. Each ends with 0 (what is
// left is a picture), 4 or 8; a sanitizer shows that nothing else is touched or left behind.
#include "encoded_pictures.h"

#include "doctest/doctest.h"

using namespace pictures;

namespace {

constexpr const char *all[] = {png, bmp, ppm, tiffRows, tiffTurned, webp, jp2, j2k, jpeg, jpegInScans};

bool isStatus(int status) {
  return status == 0 || status == sinter::kInvalidData || status == sinter::kCapacityExceeded;
}

struct Random {
  uint32_t state;
  uint32_t below(size_t count) {
    state = state * 1664525 + 1013904223;
    return static_cast<uint32_t>((uint64_t(state >> 8) * count) >> 24);
  }
};

TEST_CASE("cut short") {
  for (const char *text : all) {
    const std::vector<uint8_t> whole = fromBase64(text);
    int pictures = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      const Decoded made = decode({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      REQUIRE(isStatus(made.status));
      pictures += made.status == 0;
    }
    // Of some formats the last bytes say nothing of pixels.
    CAPTURE(text);
    CHECK(pictures <= 24);
  }
}

TEST_CASE("changed at random") {
  Random random{7};
  for (const char *text : all) {
    const std::vector<uint8_t> whole = fromBase64(text);
    for (int round = 0; round < 2000; ++round) {
      std::vector<uint8_t> changed = whole;
      // Half of the changes hit the head, where sizes stand.
      const size_t reach = round % 2 == 0 ? changed.size() : changed.size() < 64 ? changed.size() : 64;
      for (uint32_t changes = 1 + random.below(4); changes > 0; --changes)
        changed[random.below(reach)] = static_cast<uint8_t>(random.below(256));
      REQUIRE(isStatus(decode(changed, round % 3 == 0 ? PixelFormat::Grayscale : PixelFormat::Rgb).status));
    }
  }
}

TEST_CASE("sizes that are not the stream's") {
  const auto withBytes = [](const char *text, size_t at, std::initializer_list<uint8_t> bytes) {
    std::vector<uint8_t> stream = fromBase64(text);
    std::copy(bytes.begin(), bytes.end(), stream.begin() + static_cast<std::ptrdiff_t>(at));
    return decode(stream);
  };
  CHECK(withBytes(bmp, 18, {0xff, 0xff, 0xff, 0x7f}).status == sinter::kCapacityExceeded);
  CHECK(withBytes(bmp, 18, {0xff, 0xff, 0xff, 0x7f}).width == INT32_MAX);
  CHECK(withBytes(bmp, 10, {0xff, 0xff, 0xff, 0xff}).status == sinter::kInvalidData);
  CHECK(withBytes(webp, 21, {0xff, 0xff}).status == sinter::kCapacityExceeded);
  const std::string large = "P6 999999999 999999999 255 ";
  CHECK(decode({large.begin(), large.end()}).status == sinter::kCapacityExceeded);
  // A bound that the head keeps to, and no pixels behind it.
  CHECK(decode({large.begin(), large.begin() + 3}).status == sinter::kInvalidData);
  const std::string head = "P6 64 64 255 ";
  CHECK(decode({head.begin(), head.end()}).status == sinter::kInvalidData);
}

TEST_CASE("what is no picture") {
  for (std::string text :
       {"", "P", "B", "BM", "hello, world", "\xff\xd8\xff", "RIFFxxxxWEBP", "II*", "\x89PNG\r\n\x1a\n"}) {
    const Decoded made = decode({text.begin(), text.end()});
    CHECK(made.status == sinter::kInvalidData);
    CHECK(made.height == 0);
    CHECK(made.width == 0);
  }
}

} // namespace
