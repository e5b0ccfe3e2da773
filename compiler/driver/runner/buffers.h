// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a program hands to the model: each block has exactly the bytes that the model may use, so that sanitizers
// see the first one beyond, and what nobody has written yet is no plausible number.
#pragma once

#include "list.h"
#include "model_info.h"

#include <new>

class Block {
public:
  Block() = default;
  /// `shift`: so many bytes lie in front of what data() points to.
  explicit Block(size_t bytes, size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__, size_t shift = 0)
      : memory(static_cast<char *>(::operator new(bytes + shift, std::align_val_t(alignment)))), alignment(alignment),
        begin(memory + shift), count(bytes) {
    memset(begin, 0xff, bytes); // NaN in all floats
  }
  Block(Block &&other) noexcept { *this = static_cast<Block &&>(other); }
  Block &operator=(Block &&other) noexcept {
    free();
    memory = other.memory;
    alignment = other.alignment;
    begin = other.begin;
    count = other.count;
    other.memory = nullptr;
    return *this;
  }
  ~Block() { free(); }
  char *data() const { return begin; }
  size_t bytes() const { return count; }

private:
  void free() { ::operator delete(memory, std::align_val_t(alignment)); }
  char *memory = nullptr;
  size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  char *begin = nullptr;
  size_t count = 0;
};

/// Bytes that the address of a tensor must be a multiple of.
inline size_t alignmentOf(int type) {
  constexpr int complex64 = 14, complex128 = 15;
  const bool isPair = type == complex64 || type == complex128;
  const size_t bytes = type == stringType ? alignof(sinter_string) : bytesOf(type, 1);
  return isPair ? bytes / 2 : bytes;
}

/// A tensor.
struct Buffer {
  List<int64_t> dims;
  Block block;
  List<List<char>> strings; // owners of an input's
  void *data() const { return block.data(); }
  size_t bytes() const { return block.bytes(); }

  int64_t count() const {
    int64_t n = 1;
    for (int64_t dim : dims)
      n *= dim;
    return n;
  }
  /// `unaligned`: no better aligned than the model may ask for.
  void allocate(const sinter_tensor_info &info, bool unaligned) {
    const int type = info.element_type;
    block = Block(bytesOf(type, heldCount(info, dims.data())), __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                  unaligned ? alignmentOf(type) : 0);
  }
  /// The same elements, where they are: pointers to this stay true.
  void copyFrom(const List<char> &other) {
    if (other.size() != 0)
      memcpy(block.data(), other.data(), other.size());
  }
  List<char> contents() const { return {block.data(), block.data() + bytes()}; }
};
