// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call of a kernel as data: a record describes it, codegen/kernels prints it.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace sinter {

/// An argument of a call or of its template.
struct CallArgument {
  enum Kind {
    Number, ///< `number`
    Name,   ///< `text`, a type or constant of the templates
    Sum,    ///< the type that products are added up in
    Weights,
    Output,
    Epilogue,
    Scratch,  ///< as `text *`; without a text as it is
    Counters, ///< on a GPU: words of zeros, the init behind the scratch
    Element,  ///< on a GPU: the number of the thread, which computes the output element of that number
    // Of convolutions:
    Input,
    Shape,        ///< sizes of two dims, known ones as constants of its type (templates/maps/image.h)
    BoundedShape, ///< the same, with the most rows of a row tile
    PixelShape,   ///< sizes of a feature map of pixels and channels (templates/cuda/conv_shape.h)
    Filters,      ///< how many there are
    FilterRow,    ///< elements from a filter to the next
    FilterSteps,  ///< elements from filter to filter, channel to channel, tap to tap (templates/cuda/by_element.h)
    PixelRow,     ///< elements from an output pixel to the next
    Axes,         ///< sizes of any number of dims (templates/direct/conv_direct.h)
    Rows,         ///< the first row of outputs, and the one behind the last
    Panels,       ///< which panels of the filter: a share of them
    RowPhase,     ///< which row of those that are computed together the first row of outputs is
    // Of matrix products a [m, k] * b [k, n] = c [m, n]:
    Lhs,
    LhsRow, ///< from a row to the next
    LhsColumn,
    RhsRow,
    RhsColumn,
    OutputRow,
    OutputColumn,
    M,
    N,
    K,
    AllRows,     ///< those of the whole product, of which M may be a share
    LhsElements, ///< a function (i, p); `text`: the kind of packed bytes that it reads
    RhsElements, ///< a function (p, j); `number`: columns of the panels, or 0; `text`: how packed elements lie in them
  };
  Kind kind;
  int64_t number = 0;
  llvm::StringRef text = {};

  CallArgument(Kind kind, int64_t number = 0, llvm::StringRef text = {}) : kind(kind), number(number), text(text) {}
};
inline CallArgument numbered(int64_t number) { return {CallArgument::Number, number}; }
inline CallArgument named(llvm::StringRef text) { return {CallArgument::Name, 0, text}; }
inline CallArgument scratchAs(llvm::StringRef type) { return {CallArgument::Scratch, 0, type}; }

/// The blocks of a kernel that computes a tile of outputs in each.
struct GridOfTiles {
  int64_t threads = 256, sharedBytes = 0;
  int64_t slices = 1;          ///< of k, each a block of the grid's z
  bool isByElements = false;   ///< not a tile: `rows` elements a block, along x
  std::string sharedName = {}; ///< what the templates call these bytes, if not the tile's kSharedBytes
};

struct ContractionCall {
  std::string kind, why; ///< for the report: "conv", and how it is computed
  llvm::SmallVector<llvm::StringRef, 2> headers;
  llvm::StringRef function;
  llvm::SmallVector<CallArgument> templateArguments, arguments;
  bool isPacked = true;          ///< the constant operand of a matrix product: it has no strides
  bool isShared = true;          ///< threads may take parts of it
  bool hasFixedSizes = true;     ///< sizes and strides of matrix products as types where they are known
  int64_t leastSharedRows = 0;   ///< threads take rows of a product that has as many, else columns; 0: twice `rows`
  bool runsAlongRows = false;    ///< lanes of the epilogue are neighbours in a row, not channels
  int64_t rows = 1, columns = 1; ///< shares of threads are multiples of these
  int64_t panels = 0;            ///< of a filter, which threads may take in place of rows; 0: they cannot
  int64_t scratchOfShare = 0;   ///< elements of scratch that each share of the work has for itself; 0: it is not shared
  std::optional<int64_t> depth; ///< elements of a packed column, if not k
  std::optional<GridOfTiles>
      grid; ///< on a GPU: a block has a tile of outputs, of `rows` x `columns`; none: a thread an element
};

} // namespace sinter
