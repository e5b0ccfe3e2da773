// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which links of a chain of feature maps are worth computing by row tiles, and how many rows at a time: the cost
// model of tile_rows.cpp, on plain numbers.
#pragma once

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <optional>
#include <vector>

namespace sinter {

/// What the choice is for.
struct RowTilingGoal {
  int64_t memoryLimit = 0;  ///< --arena-limit: with leastMemory, what steps may need though less is possible
  bool leastMemory = false; ///< --fit ram: no step may need more arena than the largest step must
  /// As far as the work stays within this share of what one op after the other takes: on microcontrollers, where a
  /// kernel of one row costs much of what it saves.
  double mostWork = std::numeric_limits<double>::infinity();
  bool overlaps = true;         ///< maps may lie over inputs that end with them
  int64_t cacheBytes = 1 << 20; ///< L2 of one core; 0: none, all memory is alike
  int64_t bytesPerCycle = 16;   ///< from and to what lies behind it
  KernelCosts kernels;
  int64_t threads = 1;      ///< each takes a band of a segment's rows, by row tiles of its own
  double handOffCycles = 0; ///< until threads have begun a kernel that they share, and have ended it

  static RowTilingGoal of(const Target &target, Fit fit, Threads threads, const RowTilingBudget &budget);
};

/// A step of the chain that reads another one's rows: for output row r rows r * stride - pad and on, `extent` of them.
struct RowReader {
  size_t step = 0;
  int64_t stride = 1, extent = 1, pad = 0;
};

/// One op of a chain, in program order. Each but the first reads an earlier one by rows.
struct ChainStep {
  mlir::Operation *op = nullptr;
  int64_t rowsDim = 0; ///< of the output; of a reduction: among its loops
  int64_t rows = 0;    ///< of the output; of a reduction: of what it reads
  bool isElementwise = false;
  bool isReduction = false;                ///< adds rows up: the output is complete after the last one
  std::vector<RowReader> readers;          ///< among the later steps
  bool isReadElsewhere = false;            ///< by an op that is not a step, or not by rows
  int64_t work = 0;                        ///< multiplications (or elements) of the whole output
  int64_t width = 0;                       ///< pixels in a row of a convolution's output; 0: no convolution
  int64_t depthwise = 0;                   ///< channels of a depthwise convolution
  int64_t stride = 1, extent = 1, pad = 0; ///< rows of the input for a row of the output
  int64_t inputRowElements = 0;
  int64_t inputRowBytes = 0;    ///< from one row of the window's input to the next
  int64_t endingInputBytes = 0; ///< of that input, if it lies in the arena and only this op reads it from here on
  int64_t outputBytes = 0;      ///< of the whole output
  int64_t outputRowBytes = 0;   ///< from one row to the next
  int64_t weightBytes = 0;      ///< what each tile reads again
  int64_t position = 0;         ///< in the program
};

/// Steps first .. last of a chain as one: `rows` output rows of the last step at a time; 0: a single op, all at once.
struct Segment {
  size_t first = 0, last = 0;
  int64_t rows = 0;
  int64_t lead = 0;  ///< tiles before the first rows of the last step, in which early steps get ahead; one band then
  int64_t bands = 1; ///< of as many tiles each, but for the last one: threads compute one each, side by side
  int64_t tiles = 1; ///< of all bands
  double cycles = 0; ///< estimated
  double plainCycles = 0; ///< of the same steps one after the other
  int64_t tileBytes = 0;  ///< buffers between the steps
  int64_t liveBytes = 0;  ///< of the arena while it runs

  bool isFused() const { return rows != 0; }
  int64_t tilesOfBand() const { return llvm::divideCeil(tiles, bands); }
  /// Whether nothing of what tile `t` reads is there yet.
  bool beginsBand(int64_t t) const { return t == 0 || (bands > 1 && t % tilesOfBand() == 0); }
};

/// Bytes of feature maps that lie in the arena while program positions from .. to run, other than those made in there
/// for ops in there only.
using LiveBytes = llvm::function_ref<int64_t(int64_t from, int64_t to)>;

/// Rows of one step in one tile. Those from `low` on are in its window: the ones before `first` since earlier
/// tiles, the others are computed.
struct TileRows {
  int64_t low = 0, first = 0, end = 0;
};
/// By tile, then by step. No row is computed twice in one band. Tile t is about rows (t - lead) * rows and on of the
/// last step, as far as there are such rows. Precondition: the steps before the last are read by steps of the segment
/// only.
std::vector<std::vector<TileRows>> rowsOfTiles(llvm::ArrayRef<ChainStep> chain, const Segment &segment);

/// All ways to cut a chain into segments.
class RowTilingChoice {
public:
  RowTilingChoice(llvm::ArrayRef<ChainStep> chain, const RowTilingGoal &goal, LiveBytes live);

  /// The least bytes of arena with which the chain can run at all, and those with one op after the other.
  int64_t leastBytes() const;
  int64_t plainBytes() const;
  /// The cheapest segments of at most `limit` bytes each; none where there are no such.
  std::vector<Segment> within(int64_t limit) const;

private:
  /// The segments with the least of what `cost` says, summed up by `add`.
  std::vector<Segment> cheapest(llvm::function_ref<double(const Segment &)> cost,
                                llvm::function_ref<double(double, double)> add) const;

  std::vector<std::vector<Segment>> byEnd; ///< candidates that end before a step
};

/// The least limit for all chains of a program, at least `least`, with which their work stays within goal.mostWork.
int64_t leastLimit(llvm::ArrayRef<RowTilingChoice> choices, const RowTilingGoal &goal, int64_t least);

} // namespace sinter
