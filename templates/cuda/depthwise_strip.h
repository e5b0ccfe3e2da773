// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution, NHWC, filter [kernel row][kernel column][channel]. A thread has kPack adjacent channels (16
// bytes, of bytes 8, or one element where channels are no whole packs) and a strip of kStrip outputs along x: a row of
// the filter stays in registers while inputs slide along the strip, each read once; the next row's are on their way by
// then. Neighbours in a warp read adjacent channels. Bytes are added up in integers, with signed filters.
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

/// A line of a filter, and the first inputs of a strip that it meets: with strides up to 2 all of them.
template <class Input, class Taps, int kHeld, int kWidth>
struct DepthwiseLine {
  Input inputs[kHeld];
  Taps taps[kWidth];
};
/// Inputs of a line that are held, and how many lines at a time: what registers are there for, beside the sums.
template <int kPack, int kStrip, int kWidth, class Input, class Taps>
struct DepthwiseLines {
  static constexpr int kAll = (kStrip - 1) * 2 + kWidth, kBytes = 640 - kStrip * kPack * 4;
  // Compilers widen bytes as soon as they are there.
  static constexpr int kElement = sizeof(Input) == kPack ? 4 : int(sizeof(Input)) / kPack;
  static constexpr int kLineBytes = (kAll + kWidth) * kPack * kElement;
  static constexpr bool kTakesTurns = 2 * kLineBytes <= kBytes;
  static constexpr int kHeld = kLineBytes <= kBytes ? kAll : 1;
  using Line = DepthwiseLine<Input, Taps, kHeld, kWidth>;
};

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
  const int inputs = (kStrip - 1) * s.strideX + (kWidth - 1) * s.dilationX + 1; // known where this is inlined
  const auto rowOf = [&](int r) { return y * s.strideY - s.padTop + r * s.dilationY; };
  const auto isInside = [&](int r, int i) {
    return r < kHeight && uint32_t(rowOf(r)) < uint32_t(s.height) &&
           uint32_t(firstX * s.strideX - s.padLeft + i) < uint32_t(s.width);
  };
  const auto load = [&](int r, int i) {
    const int x = firstX * s.strideX - s.padLeft + i;
    return *reinterpret_cast<const Pack<T, kPack> *>(picture + (int64_t(rowOf(r)) * s.width + x) * s.pixel());
  };
  // An input goes to the outputs whose window it is in.
  const auto multiply = [&](const Pack<T, kPack> &input, const Pack<Tap, kPack> *taps, int i) {
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
  };
  // All loads of a line are under way before the first product.
  using Lines = DepthwiseLines<kPack, kStrip, kWidth, Pack<T, kPack>, Pack<Tap, kPack>>;
  using Line = typename Lines::Line;
  const auto fetch = [&](Line &to, int r) {
    if (r >= kHeight)
      return;
    SINTER_DEVICE_UNROLL
    for (int q = 0; q < kWidth; ++q)
      to.taps[q] = *reinterpret_cast<const Pack<Tap, kPack> *>(filter + (r * kWidth + q) * s.channels + channel);
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < least(inputs, Lines::kHeld); ++i) {
      to.inputs[i] = outside;
      if (isInside(r, i))
        to.inputs[i] = load(r, i);
    }
  };
  // Zeros outside are multiplied, too: a condition would have each load wait for its own products.
  const auto use = [&](const Line &line, int r) {
    if (r >= kHeight)
      return;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < inputs; ++i)
      if (i < Lines::kHeld)
        multiply(line.inputs[i], line.taps, i);
      else
        multiply(isInside(r, i) ? load(r, i) : outside, line.taps, i);
  };
  if constexpr (Lines::kTakesTurns) { // one is on its way while the other is multiplied
    Line even, odd;
    fetch(even, 0);
    SINTER_DEVICE_LOOP
    for (int r = 0; r < kHeight; r += 2) {
      fetch(odd, r + 1);
      use(even, r);
      fetch(even, r + 2);
      use(odd, r + 1);
    }
  } else {
    SINTER_DEVICE_LOOP
    for (int r = 0; r < kHeight; ++r) {
      Line line;
      fetch(line, r);
      use(line, r);
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
