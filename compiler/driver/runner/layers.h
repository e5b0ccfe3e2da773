// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace hook of `sinter verify --layers`: what kernels leave in memory.
#pragma once

#include "list.h"

#include <cstdint>
#include <cstdio>

/// Takes buffers as kernels leave them, the last time that each runs.
struct Layers {
  struct Layer {
    int kernel = 0, output = 0;
    int64_t elementBytes = 0;
    List<int64_t> sizes, strides;
    List<char> bytes;
  };
  List<Layer> layers;
  /// Of buffers that lie in a GPU's memory: so many bytes from there; null on a CPU.
  using Fetch = const char *(*)(const void *from, size_t bytes);
  Fetch fetch = nullptr;

  /// A line per layer: kernel, output, bytes per element, rank, sizes, strides.
  bool read(const char *specification) {
    std::FILE *file = std::fopen(specification, "r");
    if (!file)
      return false;
    Layer layer;
    long long bytes = 0, number = 0;
    int rank = 0;
    bool good = true;
    while (std::fscanf(file, "%d %d %lld %d", &layer.kernel, &layer.output, &bytes, &rank) == 4) {
      layer.elementBytes = bytes;
      layer.sizes.clear();
      layer.strides.clear();
      for (int i = 0; i < 2 * rank && good; ++i) {
        good = std::fscanf(file, "%lld", &number) == 1;
        (i < rank ? layer.sizes : layer.strides).push_back(number);
      }
      layers.push_back(layer);
    }
    return std::fclose(file) == 0 && good;
  }

  static void call(void *ctx, int kernel, const void *const *outputs, int count) {
    auto &all = *static_cast<Layers *>(ctx);
    for (Layer &layer : all.layers)
      if (layer.kernel == kernel && layer.output < count) {
        layer.bytes.clear();
        const void *from = outputs[layer.output];
        take(layer, all.fetch ? all.fetch(from, span(layer)) : static_cast<const char *>(from), 0);
      }
  }

  /// Bytes from a buffer's first element to its last.
  static size_t span(const Layer &layer) {
    int64_t last = 0;
    for (size_t dim = 0; dim < layer.sizes.size(); ++dim) {
      if (layer.sizes[dim] == 0)
        return 0;
      last += (layer.sizes[dim] - 1) * layer.strides[dim];
    }
    return static_cast<size_t>((last + 1) * layer.elementBytes);
  }

  static void take(Layer &layer, const char *from, size_t dim) {
    if (dim == layer.sizes.size()) {
      layer.bytes.append(from, from + layer.elementBytes);
      return;
    }
    if (dim + 1 == layer.sizes.size() && layer.strides[dim] == 1) {
      layer.bytes.append(from, from + layer.sizes[dim] * layer.elementBytes);
      return;
    }
    for (int64_t i = 0; i < layer.sizes[dim]; ++i)
      take(layer, from + i * layer.strides[dim] * layer.elementBytes, dim + 1);
  }
};
