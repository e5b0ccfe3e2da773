// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a session's block of memory is laid out: one place for each tensor of the interface and
// of the programs before it, whose results are inputs of later ones in their place, and the arena behind them.
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
  PrintedCode pointerTo(const InterfaceTensor &tensor) const;
  int64_t arenaOffset() const { return end; }
  int64_t bytes() const { return end + arenaBytes; }
  /// Of the largest of all programs.
  int64_t arena() const { return arenaBytes; }

private:
  void add(const InterfaceTensor &tensor);
  std::vector<SessionPlace> all;
  std::map<const InterfaceTensor *, size_t> indices;
  int64_t end = 0, arenaBytes;
  uint64_t alignment;
  Names names;
};

} // namespace sinter
