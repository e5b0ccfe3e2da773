// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions to run kernels of panels on, of maps and volumes, and of those that are spread out.
#pragma once

#include "conv_reference.h"
#include "packing.h"
#include "templates/maps/rows.h"

namespace sinter::test {

/// A convolution's data: the input and weights as ONNX has them, the output as the kernel leaves it. Shape: ConvShape
/// or VolumeShape.
template <class Shape>
struct Problem {
  Shape s;
  VolumeShape volume;
  int64_t taps;
  std::vector<float> in, weights, bias, out;
  Problem(Shape shape, int64_t inBlock, int64_t outBlock) : s(shape), volume(volumeOf(shape)) {
    s.in = blockedLayout(s.channels, s.height, s.width, inBlock ? inBlock : s.channels, volume.depth);
    s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, outBlock ? outBlock : s.filters, volume.outDepth);
    volume.out = s.out;
    taps = volume.kernelD * s.kernelH * s.kernelW;
    Random random(3);
    in = random.vector(size_t(s.batch * s.channels * volume.depth * s.height * s.width));
    weights = random.vector(size_t(s.filters * (s.channels / s.groups) * taps));
    bias = random.vector(size_t(s.filters));
    out.assign(size_t(s.batch * s.out.batch), -7.0f);
    if constexpr (kHasSpread<Shape>) {
      volume.depth = (volume.depth - 1) * s.spreadD + 1;
      volume.height = (volume.height - 1) * s.spreadH + 1;
      volume.width = (volume.width - 1) * s.spreadW + 1;
    }
  }
  std::vector<float> packed(bool planar) const {
    return packFilters(weights, s.filters, s.channels / s.groups, taps, s.groups, planar);
  }
  std::vector<float> laidOut() const {
    return inLayout(in, s.in, s.batch, s.channels, s.height, s.width, volumeOf(s).depth);
  }
  /// The input with its zeros, which `volume` is of.
  std::vector<float> spreadOut() const {
    const VolumeShape own = volumeOf(s);
    std::vector<float> wide(size_t(s.batch * s.channels * volume.depth * volume.height * volume.width));
    size_t at = 0;
    for (int64_t plane = 0; plane < s.batch * s.channels; ++plane)
      for (int64_t z = 0; z < own.depth; ++z)
        for (int64_t y = 0; y < s.height; ++y)
          for (int64_t x = 0; x < s.width; ++x)
            wide[size_t(((plane * volume.depth + z * s.spreadD) * volume.height + y * s.spreadH) * volume.width +
                        x * s.spreadW)] = in[at++];
    return wide;
  }
  /// Of any number of coordinates behind the filter's.
  auto addBias() const {
    return [this](auto v, int64_t, int64_t k, auto...) { return v + load<decltype(v)>(bias.data() + k); };
  }
  void check() const {
    INFO("n " << s.batch << " c " << s.channels << " k " << s.filters << " dhw " << volume.depth << "x" << s.height
              << "x" << s.width << " kernel " << volume.kernelD << "x" << s.kernelH << "x" << s.kernelW << " stride "
              << s.strideH << " dilation " << s.dilationH << " groups " << s.groups << " blocks " << s.in.block
              << " -> " << s.out.block);
    if constexpr (kHasSpread<Shape>)
      checkConv(volume, spreadOut(), weights, bias, out);
    else
      checkConv(volume, in, weights, bias, out);
  }
};

/// Transposed convolutions: strides of 1 to 3, with and without pads, filters smaller and greater than strides.
template <class Shape>
std::vector<Shape> spreadShapes() {
  std::vector<Shape> all;
  int64_t next = 0;
  for (const ConvShape &shape : convShapes()) {
    Shape s;
    static_cast<ConvShape &>(s) = shape;
    s.strideH = s.strideW = 1;
    s.spreadH = 1 + next % 3, s.spreadW = 1 + (next + 1) % 3;
    s.padTop = s.kernelH / 2, s.padLeft = s.kernelW - 1;
    s.outHeight = (s.height - 1) * s.spreadH + 1 + s.padTop, s.outWidth = (s.width - 1) * s.spreadW + 1;
    if constexpr (kHasSlices<Shape>) {
      s.depth = 3, s.kernelD = 1 + next % 2, s.spreadD = 2, s.padFront = s.kernelD - 1;
      s.outDepth = 5;
    }
    ++next;
    all.push_back(s);
  }
  return all;
}
template <class Shape>
std::vector<Shape> shapes() {
  if constexpr (kHasSpread<Shape>) {
    return spreadShapes<Shape>();
  } else if constexpr (kHasSlices<Shape>) {
    return volumeShapes();
  } else {
    return convShapes();
  }
}

} // namespace sinter::test
