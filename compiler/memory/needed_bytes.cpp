// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "needed_bytes.h"

#include "occupied_bytes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

namespace {

struct Span {
  int64_t first = INT64_MAX, last = -1;
  unsigned ops = 0;
};

/// From the first op that touches each place to the last, in program order; around a loop that it outlives,
/// throughout.
std::vector<Span> findSpans(func::FuncOp function, ArenaPlaces &places) {
  DenseMap<Operation *, std::pair<int64_t, int64_t>> extent;
  int64_t position = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { extent[op].first = position++; });
  function.walk([&](Operation *op) { // of an op with regions: up to the last in them
    int64_t &last = extent[op].second = std::max(extent[op].second, extent[op].first);
    extent[op->getParentOp()].second = std::max(extent[op->getParentOp()].second, last);
  });
  std::vector<Span> spans(places.all.size());
  function.walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface, memref::DimOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        for (unsigned place : places.of(operand)) {
          auto [first, last] = extent[op];
          for (Operation *around = op->getParentOp(); around != function; around = around->getParentOp())
            if (isa<LoopLikeOpInterface>(around) && !around->isAncestor(places.all[place].buffer.getDefiningOp()))
              std::tie(first, last) = extent[around];
          spans[place].first = std::min(spans[place].first, first);
          spans[place].last = std::max(spans[place].last, last);
          ++spans[place].ops;
        }
  });
  for (auto [place, span] : llvm::zip(places.all, spans)) {
    if (place.buffer.getDefiningOp()->hasAttr("sinter.input"))
      span = {0, std::max<int64_t>(span.last, 0), span.ops + 1};
    else if (place.buffer.getDefiningOp()->hasAttr("sinter.output"))
      span = {std::min(span.first, position), position, span.ops + 1};
    else if (place.buffer.getDefiningOp()->hasAttr("sinter.text"))
      span = {0, position, span.ops + 1};
  }
  return spans;
}

bool isOnHost(const ArenaPlaces &places, unsigned place) {
  return places.arenas[*places.all[place].arena].space == MemoryKind::Host;
}

} // namespace

void noteNeededBytes(func::FuncOp function, ArenaPlaces &places, int64_t alignment) {
  std::vector<Span> spans = findSpans(function, places);
  std::vector<unsigned> byFirst, byLast;
  for (auto [number, place] : llvm::enumerate(places.all))
    if (spans[number].last >= 0 && place.arena)
      byFirst.push_back(number);
  byLast = byFirst;
  llvm::sort(byFirst, [&](unsigned a, unsigned b) { return spans[a].first < spans[b].first; });
  llvm::sort(byLast, [&](unsigned a, unsigned b) { return spans[a].last < spans[b].last; });

  // What one op alone touches is its scratch, no tensor.
  auto tensorBytes = [&](unsigned place) {
    bool isTensor = spans[place].ops > 1 && isOnHost(places, place);
    return isTensor ? places.all[place].end - places.all[place].begin : 0;
  };
  auto alignedEnd = [&](unsigned place) {
    int64_t own = places.arenas[*places.all[place].arena].alignment;
    return static_cast<int64_t>(llvm::alignTo(places.all[place].end, own ? own : alignment));
  };
  std::vector<OccupiedBytes> live(places.arenas.size());
  int64_t onHost = 0, needed = 0, tensors = 0, graph = 0;
  auto change = [&](unsigned place, auto how) {
    OccupiedBytes &arena = live[*places.all[place].arena];
    int64_t before = arena.bytes();
    (arena.*how)(places.all[place].begin, alignedEnd(place), place);
    onHost += isOnHost(places, place) ? arena.bytes() - before : 0;
  };
  auto ended = byLast.begin();
  for (unsigned place : byFirst) { // the sums grow only where a span begins
    for (; spans[*ended].last < spans[place].first; ++ended) {
      change(*ended, &OccupiedBytes::remove);
      tensors -= tensorBytes(*ended);
    }
    change(place, &OccupiedBytes::add);
    tensors += tensorBytes(place);
    needed = std::max(needed, onHost);
    graph = std::max(graph, tensors);
    Arena &arena = places.arenas[*places.all[place].arena];
    arena.needed = std::max(arena.needed, live[*places.all[place].arena].bytes());
  }
  Builder builder(function.getContext());
  function->setAttr("sinter.needed_bytes", builder.getI64IntegerAttr(needed));
  function->setAttr("sinter.graph_bytes", builder.getI64IntegerAttr(graph));
  if (function->hasAttr("sinter.arenas"))
    setArenas(function, places.arenas);
}

} // namespace sinter
