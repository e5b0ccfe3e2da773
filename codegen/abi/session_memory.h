// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a session's block of memory is laid out: one place for each tensor of the interface, the arena behind them.
#pragma once

#include "codegen/abi/interface.h"
#include "codegen/codegen.h"

#include <map>

namespace sinter {

struct SessionPlace {
  Identifier name;
  int64_t offset, bytes;
};

class SessionMemory {
public:
  SessionMemory(const Interface &interface, const CodegenOptions &options);

  llvm::ArrayRef<SessionPlace> places() const { return all; }
  const Identifier &nameOf(const InterfaceTensor &tensor) const { return all[indices.at(&tensor)].name; }
  int64_t arenaOffset() const { return end; }
  int64_t bytes() const { return end + arenaBytes; }

private:
  std::vector<SessionPlace> all;
  std::map<const InterfaceTensor *, size_t> indices;
  int64_t end = 0, arenaBytes;
};

} // namespace sinter
