// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The weights of a model as one block of bytes, kept in a temporary file: a model of 100 MB does not cost 100 MB of
// memory. Equal contents are stored once. How the block reaches the user: weights_text.h.
#pragma once

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sinter {

/// What the bytes of a tensor are, where it matters in which order they lie.
enum class Numbers { Bytes, Halves, Words, Longs, Floats, Doubles };
size_t bytesOf(Numbers numbers);
/// Of elements as the arena and the weights hold them.
Numbers numbersOf(mlir::Type element);

class WeightsImage {
public:
  /// `alignment`: of each tensor, as the target has it.
  explicit WeightsImage(int64_t alignment);
  ~WeightsImage();
  WeightsImage(const WeightsImage &) = delete;
  WeightsImage &operator=(const WeightsImage &) = delete;

  /// A tensor of the block.
  struct Stored {
    int64_t offset, size;
    Numbers numbers;
  };

  /// Stores the bytes, unless an equal tensor is there already; gives their offset. -1: the temporary file cannot be
  /// written.
  int64_t append(llvm::ArrayRef<char> bytes, Numbers numbers = Numbers::Bytes);
  /// All tensors, one behind the other, each at a multiple of the alignment.
  const std::vector<Stored> &tensors() const { return order; }
  /// Without the padding behind the last tensor.
  int64_t size() const { return end; }
  /// Calls `piece` with consecutive parts of the bytes from .. to; false if reading fails or `piece` returns false.
  bool forEachPiece(int64_t from, int64_t to, llvm::function_ref<bool(llvm::ArrayRef<char>)> piece) const;
  /// Copies the block to a file.
  std::error_code writeTo(llvm::StringRef path) const;
  const std::string &error() const { return problem; }

private:
  bool equals(const Stored &stored, llvm::ArrayRef<char> bytes) const;
  int64_t align;
  int descriptor = -1;
  int64_t end = 0;
  std::multimap<uint64_t, Stored> byHash;
  std::vector<Stored> order;
  std::string problem;
};

} // namespace sinter
