// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session is printed by: what each input of the model is to it, told by whoever has looked at the graph.
#pragma once

#include "codegen/abi/interface.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace sinter {

/// With n rows held and s new ones.
enum class SessionInput {
  Tokens,    ///< the new tokens
  Positions, ///< n, n + 1, ...
  Mask,      ///< which rows count
  Held,      ///< n
  Total,     ///< n + s
  LastRow,   ///< n + s - 1
  Zeros,
  Cache,    ///< a state with rows along `axis`
  Counter,  ///< a state that is n
  Whole,    ///< a state that only the model can go on with
  Encoded,  ///< what a program of `encode` has made
  Ones,     ///< all rows that were encoded count
  Embedded, ///< rows of the new tokens, which `embed` makes, or the caller gives
  Adapters, ///< how much of each adapter counts, as the session's owner says
};

enum class SessionDim { New, Held, Total, Encoded };

/// An output of one of the programs that run before the first token.
struct MadeBefore {
  size_t program = 0;
  std::string output;
};

/// What such a program is given.
enum class EncodeInput {
  Values, ///< what the caller gives: tokens or features
  Ones,
  Positions,
  Zeros,
  Made, ///< by an earlier one
  None, ///< rows of what is seen or heard, of which there are none
  Adapters,
};

/// A model that makes what a decoder reads of its encoder, once for each text: the encoder, or what makes keys and
/// values of cross-attention. It has files of its own.
struct EncodeProgram {
  struct Role {
    EncodeInput input = EncodeInput::Zeros;
    MadeBefore made = {};
  };
  std::string prefix;
  Interface interface;
  int64_t weightsBytes = 0;
  llvm::StringMap<Role> inputs;
  std::string source; ///< the dim that the caller states, of the first one; empty: it is a number
};

struct SessionPlan {
  struct Role {
    SessionInput input = SessionInput::Zeros;
    size_t axis = 0;
    MadeBefore made = {}; ///< Encoded, Embedded
  };
  llvm::StringMap<Role> inputs; ///< by name
  llvm::StringMap<SessionDim> dims;
  std::string logits; ///< the output: float[batch, rows, vocabulary], of a call of fewer tokens as many rows
  int64_t context = 0, vocabulary = 0, batch = 1, chunk = 1, rows = 1;
  bool hasPads = false;                ///< sequences side by side may begin with padding,
  std::string noPadding;               ///< or what keeps them from it
  bool hasStatesCopy = false;          ///< calls that ask for no outputs make nothing but states
  std::vector<std::string> attentions; ///< outputs that the session has besides: float[batch, heads, new, encoded]
  std::string hidden; ///< an output that it has besides: float[batch, new, width], what logits are made of; or none
  std::vector<std::string> adapters;  ///< names of those that are switched on and off
  std::vector<EncodeProgram> encode;  ///< in their order; none: a decoder by itself
  std::optional<int64_t> encoded;     ///< how many rows these make; none: as many as the caller gives,
  std::string encodedBy;              ///< or this output of the first one, which says it when it is there
  std::optional<EncodeProgram> embed; ///< looks up rows for the new tokens of a call
  /// What makes rows of what is seen or heard, on the caller's tensors: entry points beside the session's.
  std::vector<EncodeProgram> fronts;

  /// All of the programs before the decoder, in the order in which their weights lie in one file.
  std::vector<const EncodeProgram *> programs() const {
    std::vector<const EncodeProgram *> all;
    for (const EncodeProgram &program : encode)
      all.push_back(&program);
    if (embed)
      all.push_back(&*embed);
    for (const EncodeProgram &program : fronts)
      all.push_back(&program);
    return all;
  }
};

} // namespace sinter
