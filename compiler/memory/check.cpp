// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-plan: an independent look at the memory plan, on every compile. It shares no code with liveness and
// plan, and works the other way round: it runs the program on a model of the arena in which only the last writer's
// bytes are good, and reports reads of bytes that another buffer has written since. Beside it, two figures that no plan
// of these buffers goes below, as attributes of the function: `sinter.needed_bytes`, the most bytes in use at one op,
// and `sinter.graph_bytes`, the most that the tensors between kernels have at one op, each for itself and without
// scratch.
#include "passes/passes.h"

#include "check_order.h"
#include "check_places.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

enum class State : char { Unwritten, Good, Overwritten };

class Checker {
public:
  explicit Checker(func::FuncOp function) : function(function), places(function), overlapping(places.all.size()) {
    if (auto stated = function->getParentOp()->getAttrOfType<IntegerAttr>("sinter.arena_align"))
      alignment = stated.getInt();
  }

  LogicalResult run() {
    auto arenaBytes = function->getAttrOfType<IntegerAttr>("sinter.arena_bytes");
    if (!arenaBytes)
      return function.emitError("internal error: no arena size");
    bool valid = succeeded(readRegions(arenaBytes.getInt()));
    function.walk([&](ArenaOp op) {
      int64_t begin = op.getOffset(), end = begin + op.getBytes();
      auto type = cast<MemRefType>(op.getType());
      bool main = !type.getMemorySpace();
      if (begin < 0 || begin % alignment || op.getBytes() < 0 || (main && end > arenaBytes.getInt()) ||
          (main && !isInOneRegion(begin, end)) || isTooSmall(op, type)) {
        op.emitError("internal error: a buffer is misplaced in the arena");
        valid = false;
      }
    });
    function.walk([&](memref::AllocOp op) {
      op.emitError("internal error: an allocation is left");
      valid = false;
    });
    if (!valid)
      return failure();
    for (unsigned a = 0; a < places.all.size(); ++a)
      for (unsigned b = a + 1; b < places.all.size(); ++b) {
        const Place &one = places.all[a], &other = places.all[b];
        if (one.begin < other.end && other.begin < one.end && spaceOf(one) == spaceOf(other) &&
            one.stateOf == other.stateOf) {
          overlapping[a].push_back(b);
          overlapping[b].push_back(a);
        }
      }
    for (const Place &place : places.all) {
      auto input = place.buffer.getDefiningOp<InputOp>();
      bool isGiven = (input && !input.getState()) || place.buffer.getDefiningOp()->hasAttr("sinter.input");
      states.push_back(isGiven ? State::Good : State::Unwritten);
    }
    execute(function.getBody());
    for (auto [place, state] : llvm::zip(places.all, states)) // what the caller reads next
      if (state == State::Overwritten && place.buffer.getDefiningOp()->hasAttr("sinter.output")) {
        place.buffer.getDefiningOp()->emitError("internal error: an output is overwritten before the call ends");
        ++failures;
      }
    measure();
    return failure(failures > 0);
  }

private:
  /// --ram: parts of the arena, each of which may lie elsewhere. None: the arena is one.
  LogicalResult readRegions(int64_t arenaBytes) {
    auto stated = function->getAttrOfType<ArrayAttr>("sinter.ram");
    int64_t end = 0;
    for (Attribute entry : stated ? stated.getValue() : ArrayRef<Attribute>()) {
      auto region = cast<DictionaryAttr>(entry);
      int64_t begin = region.getAs<IntegerAttr>("begin").getInt(), bytes = region.getAs<IntegerAttr>("bytes").getInt();
      if (begin < end || bytes < 0 || begin % alignment)
        return function.emitError("internal error: regions of the arena overlap or are not aligned");
      end = begin + bytes;
      regions.emplace_back(begin, end);
    }
    return end <= arenaBytes ? success() : function.emitError("internal error: a region ends behind the arena");
  }

  bool isInOneRegion(int64_t begin, int64_t end) const {
    return regions.empty() ||
           llvm::any_of(regions, [&](auto region) { return region.first <= begin && end <= region.second; });
  }

  static Attribute spaceOf(const Place &place) { return cast<MemRefType>(place.buffer.getType()).getMemorySpace(); }

  static bool isTooSmall(ArenaOp op, MemRefType type) {
    if (!type.hasStaticShape())
      return false;
    unsigned bits = 64;
    if (type.getElementType().isIntOrFloat())
      bits = type.getElementTypeBitWidth();
    else if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
      bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
    return static_cast<int64_t>(op.getBytes()) < type.getNumElements() * static_cast<int64_t>((bits + 7) / 8);
  }

  void execute(Region &region) {
    for (Operation &op : region.front())
      execute(&op);
  }

  void execute(Operation *op) {
    if (isa<ConstantOp>(op))
      return;
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      std::vector<State> before = states;
      execute(choice.getThenRegion());
      std::vector<State> after = states;
      states = std::move(before);
      if (!choice.getElseRegion().empty())
        execute(choice.getElseRegion());
      merge(after);
      return;
    }
    if (isa<LoopLikeOpInterface>(op)) {
      // Twice: the second time sees what the first left behind. Not at all is possible too.
      std::vector<State> before = states;
      for (int round = 0; round < 2; ++round)
        for (Region &region : op->getRegions())
          execute(region);
      merge(before);
      for (unsigned place : endingWith.lookup(op))
        if (states[place] == State::Good)
          states[place] = State::Overwritten;
      return;
    }
    if (isa<ViewLikeOpInterface, memref::DimOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    access(op);
  }

  struct Span {
    int64_t first = INT64_MAX, last = -1;
    unsigned ops = 0;
  };

  /// From the first op that touches each place to the last, in program order; around a loop that it outlives,
  /// throughout.
  std::vector<Span> findSpans() {
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
    }
    return spans;
  }

  void measure() {
    std::vector<Span> spans = findSpans();
    int64_t needed = 0, graph = 0;
    for (const Span &at : spans) { // the sums grow only where a span begins
      std::vector<std::pair<int64_t, int64_t>> live;
      int64_t tensors = 0;
      for (auto [place, span] : llvm::zip(places.all, spans))
        if (span.first <= at.first && at.first <= span.last && place.stateOf < 0 &&
            !cast<MemRefType>(place.buffer.getType()).getMemorySpace()) {
          live.emplace_back(place.begin, static_cast<int64_t>(llvm::alignTo(place.end, alignment)));
          tensors += span.ops > 1 ? place.end - place.begin : 0; // what one op alone touches is its scratch
        }
      llvm::sort(live);
      int64_t end = 0, used = 0;
      for (auto [from, to] : live) {
        used += std::max<int64_t>(0, to - std::max(from, end));
        end = std::max(end, to);
      }
      needed = std::max(needed, used);
      graph = std::max(graph, tensors);
    }
    Builder builder(function.getContext());
    function->setAttr("sinter.needed_bytes", builder.getI64IntegerAttr(needed));
    function->setAttr("sinter.graph_bytes", builder.getI64IntegerAttr(graph));
  }

  void merge(const std::vector<State> &other) {
    for (auto [state, otherState] : llvm::zip(states, other))
      state = std::max(state, otherState);
  }

  void access(Operation *op) {
    SmallVector<Value> reads, writes;
    op->walk([&](Operation *inner) { collectAccesses(inner, reads, writes); }); // loop bodies may load from buffers
    for (Value read : reads)
      for (unsigned place : places.of(read))
        if (states[place] == State::Overwritten) {
          InFlightDiagnostic error = op->emitError("internal error: a buffer is overwritten before it is read");
          error.attachNote(places.all[place].buffer.getLoc()) << "the buffer at " << places.all[place].begin;
          ++failures;
          states[place] = State::Good; // one report per mistake
        }
    for (Value write : writes)
      for (unsigned place : places.of(write)) {
        for (unsigned other : overlapping[place]) {
          if (scf::ForOp loop = loopBehindReads(op, other, place)) {
            endingWith[loop].insert(other);
            continue;
          }
          if (llvm::any_of(reads, [&](Value read) { return places.of(read).contains(other); }) &&
              !isInPlace(op, other, place) && !isBehindReads(op, places, other, place)) {
            op->emitError("internal error: an op writes over its own input");
            ++failures;
          }
          if (states[other] == State::Good)
            states[other] = State::Overwritten;
        }
        states[place] = State::Good;
      }
  }

  /// A loop around `op` whose reads of `input` are all ahead of its writes to `output`; both live on around it.
  scf::ForOp loopBehindReads(Operation *op, unsigned input, unsigned output) {
    auto loop = op->getParentOfType<scf::ForOp>();
    for (; loop; loop = loop->getParentOfType<scf::ForOp>()) {
      if (loop->isAncestor(places.all[input].buffer.getDefiningOp()) ||
          loop->isAncestor(places.all[output].buffer.getDefiningOp()))
        continue;
      auto [known, isNew] = loopsBehindReads.try_emplace({loop, input, output});
      if (isNew)
        known->second = isBehindReads(loop, places, input, output);
      if (known->second)
        break;
    }
    return loop;
  }

  /// Element by element, each read before it is written: all operands in these bytes start at the same one, have
  /// elements of one width, and are indexed alike. Of a product, that is what its epilogue reads.
  bool isInPlace(Operation *op, unsigned input, unsigned output) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || places.all[input].begin != places.all[output].begin)
      return false;
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (loops && loops.getNumParallelLoops() != loops.getNumLoops())
      return false;
    AffineMap map;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      const SetVector<unsigned> &where = places.of(operand.get());
      if (!where.contains(input) && !where.contains(output))
        continue;
      AffineMap own = loops ? loops.getMatchingIndexingMap(&operand) : epilogueMap(dps, operand);
      if (!own || !places.isPlace(operand.get()) || !own.isPermutation() || (map && own != map) ||
          elementWidth(operand.get()) != elementWidth(dps.getDpsInitOperand(0)->get()))
        return false;
      map = own;
    }
    return true;
  }

  /// From output coordinates to the operand's; null: read otherwise.
  static AffineMap epilogueMap(DestinationStyleOpInterface op, OpOperand &operand) {
    auto maps = op->getAttrOfType<ArrayAttr>("epilogue_maps");
    if (!maps || op->getRegion(0).front().getTerminator()->getNumOperands() != 1)
      return {};
    int64_t rank = cast<MemRefType>(op.getDpsInitOperand(0)->get().getType()).getRank();
    if (&operand == op.getDpsInitOperand(0))
      return AffineMap::getMultiDimIdentityMap(rank, op->getContext());
    // Two operands of the product, then the epilogue's.
    int64_t index = static_cast<int64_t>(operand.getOperandNumber()) - 2;
    return index < 0 || op.isDpsInit(&operand) ? AffineMap() : cast<AffineMapAttr>(maps[index]).getValue();
  }

  func::FuncOp function;
  std::vector<std::pair<int64_t, int64_t>> regions; ///< begin and end
  ArenaPlaces places;
  std::vector<SmallVector<unsigned>> overlapping; ///< by place: those that have a byte in common with it
  std::vector<State> states;
  std::map<std::tuple<Operation *, unsigned, unsigned>, bool> loopsBehindReads;
  DenseMap<Operation *, SetVector<unsigned>> endingWith; ///< places that a loop overwrites behind its reads
  unsigned failures = 0;
  int64_t alignment = 64; ///< the target may ask for less: sinter.arena_align of the module
};

} // namespace

LogicalResult sinter::checkPlan(ModuleOp module) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(Checker(function).run()))
      return failure();
  return success();
}
