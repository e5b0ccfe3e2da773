// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of the model: the structs of the ABI, made without knowing their members' names, and the memory behind them.
#pragma once

#include "buffers.h"

/// The structs are pointers, then 64-bit numbers.
struct Call {
  List<Buffer> inputs, outputs;
  List<int64_t> in, out; // the structs
  Block arena;           // one, or a block for each region
  List<Block> regions;
  List<void *> regionPointers;
  sinter_env env = {};

  /// Makes outputs, arena and structs for the inputs.
  void bind(const sinter_model_info &info, bool unaligned) {
    in.resize(inputWords(info));
    for (int i = 0; i < info.input_count; ++i) {
      Buffer &buffer = inputs[static_cast<size_t>(i)];
      pointers(in)[i] = info.inputs[i].arena_offset < 0 ? buffer.data() : nullptr;
      for (int d = 0; d < info.inputs[i].rank; ++d)
        if (const int symbol = symbolOf(info.inputs[i], d); symbol >= 0)
          dims(info)[symbol] = buffer.dims[static_cast<size_t>(d)];
    }
    out.resize(outputWords(info));
    for (int i = 0; i < info.output_count; ++i) {
      Buffer &buffer = outputs[static_cast<size_t>(i)];
      for (int d = 0; d < info.outputs[i].rank; ++d)
        buffer.dims.push_back(largest(info.outputs[i], d));
      buffer.allocate(info.outputs[i], unaligned);
      pointers(out)[i] = info.outputs[i].arena_offset < 0 ? buffer.data() : nullptr;
    }
    env.size = sizeof env;
    env.arena_bytes = info.arena_bytes;
    if (info.region_count == 0) {
      arena = Block(info.arena_bytes, info.arena_align);
      env.arena = arena.data();
      return;
    }
    for (int i = 0; i < info.region_count; ++i)
      regions.push_back(Block(info.regions[i].bytes, info.arena_align));
    for (const Block &region : regions)
      regionPointers.push_back(region.data());
    env.arenas = regionPointers.data();
  }
  /// Inputs that lie in the arena go there, before each run: it may write over them.
  void fillArena(const sinter_model_info &info) {
    for (int i = 0; i < info.input_count; ++i)
      if (Buffer &buffer = inputs[static_cast<size_t>(i)]; info.inputs[i].arena_offset >= 0 && buffer.bytes() != 0)
        memcpy(placeOf(info, info.inputs[i]), buffer.data(), buffer.bytes());
  }
  /// And outputs come from there.
  void emptyArena(const sinter_model_info &info) {
    for (int i = 0; i < info.output_count; ++i)
      if (Buffer &buffer = outputs[static_cast<size_t>(i)]; info.outputs[i].arena_offset >= 0 && buffer.bytes() != 0)
        memcpy(buffer.data(), placeOf(info, info.outputs[i]), buffer.bytes());
  }
  /// Sizes that the call wrote.
  void takeSizes(const sinter_model_info &info) {
    const int64_t *at = behindPointers(out, info.output_count);
    for (int i = 0; i < info.output_count; ++i) {
      if (isStatic(info.outputs[i]))
        continue;
      outputs[static_cast<size_t>(i)].dims.assign(at, at + info.outputs[i].rank);
      at += info.outputs[i].rank;
    }
    for (int i = 0; i < info.input_count; ++i) {
      if (!isGrowing(info.inputs[i]))
        continue;
      inputs[static_cast<size_t>(i)].dims.assign(at, at + info.inputs[i].rank);
      at += info.inputs[i].rank;
    }
  }

  static void **pointers(List<int64_t> &words) { return reinterpret_cast<void **>(words.data()); }
  /// The sizes of symbolic dims in the struct of inputs.
  int64_t *dims(const sinter_model_info &info) { return behindPointers(in, info.input_count); }

private:
  /// The numbers of a struct that begins with so many pointers. They may be less aligned than a number by itself
  /// (i386).
  static int64_t *behindPointers(List<int64_t> &words, int count) {
    struct Member {
      char before;
      int64_t number;
    };
    constexpr size_t alignment = offsetof(Member, number);
    const size_t bytes = static_cast<size_t>(count) * sizeof(void *);
    return reinterpret_cast<int64_t *>(reinterpret_cast<char *>(words.data()) +
                                       (bytes + alignment - 1) / alignment * alignment);
  }
  static size_t wordsOf(int count) { return (static_cast<size_t>(count) * sizeof(void *) + 7) / 8; }
  static size_t inputWords(const sinter_model_info &info) {
    return wordsOf(info.input_count) + static_cast<size_t>(info.dim_count) + 1;
  }
  static size_t outputWords(const sinter_model_info &info) {
    size_t sizes = 0;
    for (int i = 0; i < info.output_count; ++i)
      sizes += isStatic(info.outputs[i]) ? 0 : static_cast<size_t>(info.outputs[i].rank);
    for (int i = 0; i < info.input_count; ++i)
      sizes += isGrowing(info.inputs[i]) ? static_cast<size_t>(info.inputs[i].rank) : 0;
    return wordsOf(info.output_count) + sizes + 1;
  }
  /// Where a tensor of the arena lies.
  char *placeOf(const sinter_model_info &info, const sinter_tensor_info &tensor) const {
    const auto offset = static_cast<size_t>(tensor.arena_offset);
    for (int i = info.region_count; i-- > 0;)
      if (offset >= info.regions[i].offset && info.regions[i].bytes != 0)
        return regions[static_cast<size_t>(i)].data() + (offset - info.regions[i].offset);
    return arena.data() + offset;
  }
};
