// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the inputs and outputs of an exported decoder mean: which output goes back into which input as a cache, which
// input holds tokens, positions or the mask, which dims count rows that are held, that are new, and both. Found by what
// the graph does with them and by their shapes; names only decide where these leave a choice. Who compiles a decoder
// for a session (codegen/abi/session.h) goes by it.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// How a cache holds the rows of earlier calls.
enum class CacheKind {
  Grows,   ///< the output has the input's rows and the new ones behind them
  Fixed,   ///< as many rows as there may ever be, of which a call writes the new ones
  Counter, ///< how many rows are held, counted by the model itself
  Whole,   ///< made anew by each call: it cannot be taken back to an earlier row
};

struct DecoderCache {
  unsigned input = 0, output = 0;
  std::string inputName, outputName;
  CacheKind kind = CacheKind::Grows;
  size_t axis = 0; ///< along which rows lie, unless Counter or Whole
};

/// What a session gives for an input, where n rows are held and s are new.
enum class InputRole {
  Tokens,      ///< the new tokens
  Positions,   ///< n, n + 1, ...
  Mask,        ///< which rows count: those below n + s
  Held,        ///< n
  Total,       ///< n + s
  LastRow,     ///< n + s - 1
  Zeros,       ///< segments, of which there is one
  Encoded,     ///< what an encoder made of its input: its states, or keys and values of cross-attention
  EncodedMask, ///< which rows of these count: all
  Embedded,    ///< rows that another model has looked up for the new tokens, or made of what is seen or heard
};

enum class DimRole {
  Batch,
  New,
  Held,
  Total,
  Capacity,
  Width,   ///< of a row of a cache
  Encoded, ///< rows of what an encoder made
};

struct Decoder {
  std::vector<DecoderCache> caches;
  llvm::StringMap<InputRole> inputs;             ///< all that are no caches
  llvm::StringMap<DimRole> dims;                 ///< by symbol
  std::string logits;                            ///< the output
  std::optional<int64_t> batch, fresh, capacity; ///< where the model fixes them
  int64_t vocabulary = 0;                        ///< how many scores a row of the logits has
  int64_t positions = 0;                         ///< how many a table of positions has; 0: there is none
  std::vector<unsigned> encoded;                 ///< the inputs that are InputRole::Encoded
  std::vector<unsigned> embedded;                ///< those that are InputRole::Embedded: such a decoder takes no tokens
  std::vector<std::string> attentions; ///< outputs, by layers: how much of each of its rows each new token looks at,
                                       ///< [batch, heads, new, encoded], before or behind a softmax
  std::string
      noPadding; ///< why sequences that go side by side are equally long; empty: shorter ones begin with padding
};

/// What keeps a model from being one, in words: what is wrong, and a hint.
struct NoDecoder {
  bool lacksCaches = false;
  std::string what, hint;
};

/// Of node IR's @main whose dims are symbols. Exactly one of the two.
std::optional<NoDecoder> recognizeDecoder(mlir::ModuleOp module, Decoder &decoder);

} // namespace sinter
