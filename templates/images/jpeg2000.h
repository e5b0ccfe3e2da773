// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JPEG 2000, as a file (JP2) or as a bare codestream, by OpenJPEG: gray, RGB or YCbCr, without what is transparent;
// samples of any precision become bytes.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/picture.h"

#if __has_include(<openjpeg.h>)
#include <openjpeg.h>
#elif __has_include(<openjpeg-2.5/openjpeg.h>)
#include <openjpeg-2.5/openjpeg.h>
#else
#error "ImageDecoder needs openjpeg.h of OpenJPEG (on Debian: libopenjp2-7-dev)"
#endif

namespace sinter {
namespace {

struct Jpeg2000Reader {
  Encoded in;
  size_t at = 0;
  opj_codec_t *codec = nullptr;
  opj_stream_t *stream = nullptr;
  opj_image_t *image = nullptr;

  explicit Jpeg2000Reader(const Encoded &in) : in(in) {}
  Jpeg2000Reader(const Jpeg2000Reader &) = delete;
  Jpeg2000Reader &operator=(const Jpeg2000Reader &) = delete;
  ~Jpeg2000Reader() {
    if (image)
      opj_image_destroy(image);
    if (stream)
      opj_stream_destroy(stream);
    if (codec)
      opj_destroy_codec(codec);
  }

  static OPJ_SIZE_T read(void *to, OPJ_SIZE_T count, void *self) {
    Jpeg2000Reader &reader = *static_cast<Jpeg2000Reader *>(self);
    const size_t left = reader.in.size - reader.at, taken = count < left ? count : left;
    if (taken == 0)
      return static_cast<OPJ_SIZE_T>(-1); // the end
    memcpy(to, reader.in.bytes + reader.at, taken);
    reader.at += taken;
    return taken;
  }
  static OPJ_OFF_T skip(OPJ_OFF_T count, void *self) {
    Jpeg2000Reader &reader = *static_cast<Jpeg2000Reader *>(self);
    const size_t left = reader.in.size - reader.at;
    if (count < 0 || static_cast<uint64_t>(count) > left)
      return -1;
    reader.at += static_cast<size_t>(count);
    return count;
  }
  static OPJ_BOOL seek(OPJ_OFF_T to, void *self) {
    Jpeg2000Reader &reader = *static_cast<Jpeg2000Reader *>(self);
    if (to < 0 || static_cast<uint64_t>(to) > reader.in.size)
      return OPJ_FALSE;
    reader.at = static_cast<size_t>(to);
    return OPJ_TRUE;
  }

  /// Reads what stands before the pixels.
  bool open() {
    constexpr OPJ_SIZE_T bufferBytes = 1 << 16;
    codec = opj_create_decompress(in.bytes[0] == 0xff ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    stream = codec ? opj_stream_create(bufferBytes, OPJ_TRUE) : nullptr;
    if (!stream)
      return false;
    opj_stream_set_user_data(stream, this, nullptr);
    opj_stream_set_user_data_length(stream, in.size);
    opj_stream_set_read_function(stream, read);
    opj_stream_set_skip_function(stream, skip);
    opj_stream_set_seek_function(stream, seek);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    return opj_setup_decoder(codec, &parameters) && opj_read_header(stream, codec, &image) && image;
  }
};

/// A component as bytes: the upper eight bits, rounded, or the few that there are.
[[maybe_unused]] static inline int byteOf(const opj_image_comp_t &component, int64_t y, int64_t x) {
  const int64_t row = y / component.dy, column = x / component.dx;
  if (row >= component.h || column >= component.w)
    return 0;
  const int64_t raw = component.data[row * component.w + column];
  const int64_t sample = raw + (component.sgnd ? int64_t(1) << (component.prec - 1) : 0);
  const int surplus = static_cast<int>(component.prec) - 8;
  const int64_t byte = surplus > 0 ? (sample + (int64_t(1) << (surplus - 1))) >> surplus : sample * (1 << -surplus);
  return static_cast<int>(byte < 0 ? 0 : byte > 255 ? 255 : byte);
}

/// ITU-R BT.601 at full range, in 16-bit fixed point.
[[maybe_unused]] static inline void putYcc(const Picture &picture, int64_t y, int64_t x, int luma, int blue, int red) {
  const auto byte = [](int value) { return static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value); };
  const int cb = blue - 128, cr = red - 128, half = 1 << 15;
  picture.put(y, x, byte(luma + ((91881 * cr + half) >> 16)), byte(luma - ((22554 * cb + 46802 * cr + half) >> 16)),
              byte(luma + ((116130 * cb + half) >> 16)));
}

[[maybe_unused]] static inline bool putJpeg2000(const opj_image_t &image, const Picture &picture) {
  const opj_image_comp_t *const all = image.comps;
  for (OPJ_UINT32 i = 0; i < image.numcomps; ++i)
    if (!all[i].data || all[i].prec < 1 || all[i].prec > 31 || all[i].dx < 1 || all[i].dy < 1)
      return false;
  for (int64_t y = 0; y < picture.height(); ++y)
    for (int64_t x = 0; x < picture.width(); ++x) {
      const int first = byteOf(all[0], y, x);
      if (image.numcomps < 3) {
        picture.putGray(y, x, static_cast<uint8_t>(first));
        continue;
      }
      const int second = byteOf(all[1], y, x), third = byteOf(all[2], y, x);
      if (image.color_space == OPJ_CLRSPC_SYCC)
        putYcc(picture, y, x, first, second, third);
      else
        picture.put(y, x, static_cast<uint8_t>(first), static_cast<uint8_t>(second), static_cast<uint8_t>(third));
    }
  return true;
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readJpeg2000(const Encoded &in, PictureSize &size, const Picture *picture) {
  constexpr OPJ_UINT32 mostComponents = 4;
  Jpeg2000Reader reader(in);
  if (!reader.open())
    return kInvalidData;
  const opj_image_t &image = *reader.image;
  if (image.x1 <= image.x0 || image.y1 <= image.y0 || image.numcomps < 1 || image.numcomps > mostComponents)
    return kInvalidData;
  size = {int64_t(image.y1) - image.y0, int64_t(image.x1) - image.x0};
  if (!picture)
    return 0;
  const bool isDecoded = picture->hasSize(size) && opj_decode(reader.codec, reader.stream, reader.image) &&
                         opj_end_decompress(reader.codec, reader.stream);
  return isDecoded && putJpeg2000(image, *picture) ? 0 : kInvalidData;
}

} // namespace
} // namespace sinter
