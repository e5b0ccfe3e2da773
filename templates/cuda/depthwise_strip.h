// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution, NHWC, filter [kernel row][kernel column][channel]. A thread has kPack adjacent channels (16
// bytes, of bytes 8, or one element where channels are no whole packs) and a strip of kStrip outputs along x: a row of
// the filter stays in registers while inputs slide along the strip, each read once. Neighbours in a warp read adjacent
// channels. Bytes are added up in integers, with signed filters.
// Grid: ceil(threads needed / block).
#pragma once

#include "templates/cuda/conv_shape.h"
#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

/// How many threads the shape takes.
template <int kPack, int kStrip>
SINTER_DEVICE constexpr int depthwiseThreads(const ConvShape &s) {
  return s.images * s.outHeight * ceilDiv(s.outWidth, kStrip) * (s.channels / kPack);
}

/// `epilogue(sum, pixel, channel)`; out: pixels, ldc apart. Blocks of `threads`. kHeight, kWidth: the kernel's.
template <class T, int kPack, int kStrip, int kHeight, int kWidth, class TC, class Epilogue>
SINTER_DEVICE void depthwise(const T *in, const typename OtherOperand<T>::Type *filter, TC *out, int ldc,
                             const ConvShape &s, int threads, Epilogue epilogue) {
  using Tap = typename OtherOperand<T>::Type;
  using S = typename SumOf<T>::Type;
  const int packs = s.channels / kPack, strips = ceilDiv(s.outWidth, kStrip);
  const int number = blockX() * threads + threadIndex();
  if (number >= depthwiseThreads<kPack, kStrip>(s))
    return;
  const int channel = number % packs * kPack, strip = number / packs % strips, line = number / packs / strips;
  const int firstX = strip * kStrip, y = line % s.outHeight;
  const T *const picture = in + line / s.outHeight * s.image() + channel;
  Pack<T, kPack> outside{};
  if constexpr (sizeof(T) == 1)
    for (T &each : outside.at)
      each = T(s.outside);
  S sums[kStrip][kPack] = {};
  SINTER_DEVICE_LOOP
  for (int r = 0; r < kHeight; ++r) {
    const int row = y * s.strideY - s.padTop + r * s.dilationY;
    const bool isRow = uint32_t(row) < uint32_t(s.height);
    if (!isRow && s.outside == 0)
      continue;
    Pack<Tap, kPack> taps[kWidth];
    SINTER_DEVICE_UNROLL
    for (int q = 0; q < kWidth; ++q)
      taps[q] = *reinterpret_cast<const Pack<Tap, kPack> *>(filter + (r * kWidth + q) * s.channels + channel);
    // Inputs of the strip from left to right; each goes to the outputs whose window it is in.
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < (kStrip - 1) * s.strideX + (kWidth - 1) * s.dilationX + 1; ++i) {
      const int x = firstX * s.strideX - s.padLeft + i;
      const bool isInside = isRow && uint32_t(x) < uint32_t(s.width);
      if (!isInside && s.outside == 0)
        continue;
      Pack<T, kPack> input = outside;
      if (isInside)
        input = *reinterpret_cast<const Pack<T, kPack> *>(picture + (int64_t(row) * s.width + x) * s.pixel());
      SINTER_DEVICE_UNROLL
      for (int q = 0; q < kWidth; ++q) {
        SINTER_DEVICE_UNROLL
        for (int o = 0; o < kStrip; ++o) {
          if (o * s.strideX + q * s.dilationX != i)
            continue; // known when unrolled
          SINTER_DEVICE_UNROLL
          for (int e = 0; e < kPack; ++e)
            sums[o][e] = addProduct(input.at[e], taps[q].at[e], sums[o][e]);
        }
      }
    }
  }
  SINTER_DEVICE_UNROLL
  for (int o = 0; o < kStrip; ++o) {
    if (firstX + o >= s.outWidth)
      continue;
    const int pixel = line * s.outWidth + firstX + o;
    Pack<TC, kPack> results;
    SINTER_DEVICE_UNROLL
    for (int e = 0; e < kPack; ++e)
      results.at[e] = stored<TC>(epilogue(sums[o][e], pixel, channel + e));
    *reinterpret_cast<Pack<TC, kPack> *>(out + int64_t(pixel) * ldc + channel) = results;
  }
}

/// The same in blocks of 128 threads with `epilogue(sum, image, channel, y, x)`.
template <class T, int kPack, int kStrip, int kHeight, int kWidth, class TC, class Epilogue>
SINTER_DEVICE void depthwiseStrip(const T *in, const typename OtherOperand<T>::Type *filter, TC *out, int ldc,
                                  const ConvShape &s, Epilogue epilogue) {
  depthwise<T, kPack, kStrip, kHeight, kWidth>(in, filter, out, ldc, s, 128, OfPixels<Epilogue>{s, epilogue});
}

} // namespace
} // namespace sinter::cuda
