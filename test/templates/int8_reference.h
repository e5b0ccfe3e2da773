// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8-bit convolutions by their definition, and weights as compiler/passes/packing/pack_integers.cpp lays them out for
// im2col_rows.h, depthwise_im2col.h and depthwise_columns.h.
#pragma once

#include "templates/im2col/im2col_rows.h"

#include <vector>

namespace sinter::test {

inline ConvShape int8Shape(int64_t height, int64_t width, int64_t channels, int64_t filters, int64_t kernelH,
                           int64_t kernelW, int64_t stride, int64_t pad) {
  ConvShape s;
  s.height = height;
  s.width = width;
  s.channels = channels;
  s.filters = filters;
  s.kernelH = kernelH;
  s.kernelW = kernelW;
  s.strideH = s.strideW = stride;
  s.padTop = s.padLeft = pad;
  s.outHeight = (height + 2 * pad - kernelH) / stride + 1;
  s.outWidth = (width + 2 * pad - kernelW) / stride + 1;
  s.in = blockedLayout(channels, height, width, channels);
  s.out = blockedLayout(filters, s.outHeight, s.outWidth, filters);
  return s;
}
inline ConvShape depthwiseShape(int64_t height, int64_t width, int64_t channels, int64_t kernelH, int64_t kernelW,
                                int64_t stride, int64_t pad) {
  ConvShape s = int8Shape(height, width, channels, channels, kernelH, kernelW, stride, pad);
  s.groups = channels;
  return s;
}

/// Inputs, weights [filter][kernelH][kernelW][channel] and what comes out, channels last.
template <class TA>
struct Int8Case {
  std::vector<TA> in;
  std::vector<int8_t> weights;
  std::vector<int32_t> bias, expected, weightSums;
  std::vector<float> factors;
  int64_t filters;
  int32_t zero;

  Int8Case(const ConvShape &s, int32_t zeroPoint) : filters(s.filters), zero(zeroPoint) {
    uint32_t state = 12345;
    const auto next = [&] { return (state = state * 1664525 + 1013904223) >> 24; };
    const int64_t perGroup = s.channels / s.groups, taps = s.kernelH * s.kernelW * perGroup;
    for (int64_t i = 0; i < s.height * s.width * s.channels; ++i)
      in.push_back(TA(next()));
    for (int64_t i = 0; i < s.filters * taps; ++i)
      weights.push_back(int8_t(next()));
    for (int64_t k = 0; k < s.filters; ++k) {
      int32_t sum = 0;
      for (int64_t i = 0; i < taps; ++i)
        sum += weights[size_t(k * taps + i)];
      weightSums.push_back(sum);
      bias.push_back(int32_t(next()) * 16 - 2000);
      factors.push_back(float(next() + 1) * 2e-5f);
    }
    for (int64_t h = 0; h < s.outHeight; ++h)
      for (int64_t w = 0; w < s.outWidth; ++w)
        for (int64_t k = 0; k < s.filters; ++k) {
          const int64_t firstChannel = k / (s.filters / s.groups) * perGroup;
          int32_t sum = bias[size_t(k)];
          for (int64_t kh = 0; kh < s.kernelH; ++kh)
            for (int64_t kw = 0; kw < s.kernelW; ++kw)
              for (int64_t c = 0; c < perGroup; ++c) {
                const int64_t y = h * s.strideH - s.padTop + kh, x = w * s.strideW - s.padLeft + kw;
                if (y >= 0 && y < s.height && x >= 0 && x < s.width)
                  sum += (in[size_t((y * s.width + x) * s.channels + firstChannel + c)] - zero) *
                         weights[size_t(((k * s.kernelH + kh) * s.kernelW + kw) * perGroup + c)];
              }
          expected.push_back(sum);
        }
  }

  /// The bias less what zero points add: the input's, after `shift` was taken off inputs, and a core that holds its
  /// inputs with `held` added.
  std::vector<int32_t> foldedBias(int32_t shift, int32_t held) const {
    std::vector<int32_t> folded = bias;
    for (size_t k = 0; k < folded.size(); ++k)
      folded[k] -= (zero - shift + held) * weightSums[k];
    return folded;
  }
  std::vector<int8_t> requantized(int32_t low, int32_t high, int32_t outputZero) const {
    std::vector<int8_t> bytes;
    for (size_t i = 0; i < expected.size(); ++i) {
      const float scaled = __builtin_rintf(float(expected[i]) * factors[i % size_t(filters)]);
      bytes.push_back(int8_t(int32_t(scaled < float(low)    ? float(low)
                                     : scaled > float(high) ? float(high)
                                                            : scaled) +
                             outputZero));
    }
    return bytes;
  }
};

/// [filter][runs][k] -> [filters / 4][runs][k filled up / step][4][step] with step 16 for vectors, else 1; with 128
/// added where im2col rows have it.
template <class Core>
std::vector<uint8_t> packIm2col(const std::vector<int8_t> &w, int64_t filters, int64_t runs, int64_t k) {
  const int64_t step = Core::kFour ? 16 : 1, length = im2colLength<Core>(k);
  std::vector<uint8_t> out;
  for (int64_t f = 0; f < filters; f += 4)
    for (int64_t r = 0; r < runs; ++r)
      for (int64_t i = 0; i < length; i += step)
        for (int64_t q = f; q < f + 4; ++q)
          for (int64_t j = i; j < i + step; ++j)
            out.push_back(
                j < k && q < filters ? uint8_t(w[size_t((q * runs + r) * k + j)] + (Core::kHeader > 0 ? 128 : 0)) : 0);
  return out;
}

/// [channel][kernelH][kernelW] -> [channels filled up][rows][4 columns][4 rows].
inline std::vector<int8_t> packColumns(const std::vector<int8_t> &w, int64_t channels, int64_t kernelH, int64_t kernelW,
                                       int64_t rows) {
  std::vector<int8_t> out;
  for (int64_t c = 0; c < (channels + 3) / 4 * 4; ++c)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < 16; ++i) {
        const int64_t kw = i / 4, kh = i % 4 - r;
        const bool isTap = c < channels && kw < kernelW && kh >= 0 && kh < kernelH;
        out.push_back(isTap ? w[size_t((c * kernelH + kh) * kernelW + kw)] : int8_t(0));
      }
  return out;
}

} // namespace sinter::test
