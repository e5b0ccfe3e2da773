// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place for each buffer of a function: an arena, and an offset in it. Buffers that one op reads and writes may share
// a place or lie over each other; the rest is packing (pack.h), space by space and region by region. plan.cpp writes
// the result into the IR.
#pragma once

#include "arenas.h"
#include "liveness.h"
#include "pack.h"

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace sinter {

class Places {
public:
  /// `bytes`: of each buffer. `arenas`: one at least of each space and region that a buffer states.
  Places(const Lifetimes &lifetimes, llvm::ArrayRef<int64_t> bytes, std::vector<Arena> arenas, const Target &target,
         Threads threads);

  /// One place for an op's output and an input that ends there. Precondition: the op reads the input only where it then
  /// writes (readInPlace), both are whole buffers of equal size, and no other operand sees the input's memory.
  void shareInPlace(mlir::DestinationStyleOpInterface op);
  /// The output of an op that goes through its rows may lie over the input that ends here. After all shareInPlace.
  void noteOverlap(mlir::DestinationStyleOpInterface op);
  /// What a loop of row tiles makes may lie over what it reads last. After all shareInPlace. A model's own loops carry
  /// states, whose buffers check.cpp does not tell apart iteration by iteration.
  void noteOverlaps(mlir::scf::ForOp loop);

  /// Chooses arenas and offsets. `accesses`: bytes read and written of each buffer; empty where no space has regions.
  void assign(llvm::ArrayRef<double> accesses);

  unsigned arenaOf(unsigned buffer) { return chosen[find(buffer)]; }
  int64_t offset(unsigned buffer) { return slots[find(buffer)].offset; }

  std::vector<Arena> arenas; ///< with begin and bytes once all is assigned
  int64_t hostLiveBytes = 0; ///< what lives in the host's at one time, at most, of each region

private:
  int64_t alignmentOf(const Arena &arena) const { return arena.alignment ? arena.alignment : target.alignment; }
  /// Of a buffer: an arena of its space will have it.
  int64_t alignmentOf(const Lifetime &buffer) const;
  std::vector<Slot> slotsOf(llvm::ArrayRef<unsigned> members) const;
  bool isLeader(unsigned buffer) { return find(buffer) == buffer; }
  /// The buffers of a space among its regions: `members` of each arena.
  void spread(MemoryKind space, llvm::ArrayRef<double> accesses, std::vector<std::vector<unsigned>> &members);
  void placeUnwritten();
  void stackArenas();

  std::optional<unsigned> wholeBuffer(mlir::OpOperand &operand);
  std::optional<unsigned> allOf(mlir::OpOperand &operand);
  bool isSeenByOthers(mlir::Operation *op, mlir::OpOperand &operand, unsigned group);
  bool mayShare(mlir::Operation *op, unsigned owner, unsigned output, llvm::ArrayRef<mlir::OpOperand *> readInPlace);
  unsigned find(unsigned buffer);
  void join(unsigned a, unsigned b);

  const Lifetimes &lifetimes;
  llvm::ArrayRef<int64_t> bytes;
  const Target &target;
  Threads threads;
  std::vector<Overlap> overlaps; ///< by the leaders of groups
  std::vector<Slot> slots;
  std::vector<unsigned> leader, chosen;
};

/// Bytes of an element in memory.
int64_t elementBytes(mlir::Type element);

} // namespace sinter
