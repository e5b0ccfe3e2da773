// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session is printed by: what each input of the model is to it, told by whoever has looked at the graph.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <string>

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
  Cache,   ///< a state with rows along `axis`
  Counter, ///< a state that is n
  Whole,   ///< a state that only the model can go on with
};

enum class SessionDim { New, Held, Total };

struct SessionPlan {
  struct Role {
    SessionInput input = SessionInput::Zeros;
    size_t axis = 0;
  };
  llvm::StringMap<Role> inputs; ///< by name
  llvm::StringMap<SessionDim> dims;
  std::string logits; ///< the output: float[batch, 1, vocabulary]
  int64_t context = 0, batch = 1, chunk = 1;
};

} // namespace sinter
