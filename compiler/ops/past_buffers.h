// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys and values of past tokens in generation: buffers for all tokens that there may be, of which a decoder gets what
// is filled, or (past_present_share_buffer) the whole and how much of it counts.
#pragma once

#include "generation.h"

namespace sinter {

class PastBuffers {
public:
  PastBuffers(const Search &search) : search(search), op(search.op) {}

  struct Form {
    Sizes sizes; ///< of the whole buffer
    int64_t rowAxis, lengthAxis;
    ElementType element;
  };
  llvm::SmallVector<Form> forms;
  /// What a decoder takes behind the pasts: nothing, past_sequence_length, or with it beam_width and cache_indirection.
  unsigned sharing = 0;

  llvm::SmallVector<Tensor> empty() const;
  /// Adds what a decoder gets of buffers that hold `seen` tokens, and what says so.
  void addPasts(llvm::ArrayRef<Tensor> buffers, Size seen, llvm::SmallVector<Tensor> &arguments) const;
  void addSharing(Size seen, llvm::SmallVector<Tensor> &arguments) const;
  /// Buffers with what `name` made of them, `count` tokens long, for rows that go on where `origins` were. A decoder
  /// that is not told of sharing (`isWhole` false) makes just what counts.
  mlir::FailureOr<llvm::SmallVector<Tensor>> updated(llvm::ArrayRef<Tensor> buffers, llvm::ArrayRef<Tensor> presents,
                                                     Size count, Tensor origins, llvm::StringRef name,
                                                     bool isWhole) const;

private:
  const Search &search;
  const Op &op;
};

} // namespace sinter
