// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-plan: an independent look at the memory plan, on every compile. It shares no code with liveness and
// plan, and works the other way round: it runs the program on a model of each arena in which only the last writer's
// bytes are good, and reports reads of bytes that another buffer has written since. Figures that no plan goes below are
// needed_bytes.cpp's.
#include "passes.h"

#include "ir/launch.h"

#include "change_log.h"
#include "check_elementwise.h"
#include "check_order.h"
#include "check_places.h"
#include "needed_bytes.h"
#include "occupied_bytes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

enum class State : char { Unwritten, Good, Overwritten };

class PlanChecker {
public:
  PlanChecker(func::FuncOp function, const Target &target, Threads threads)
      : function(function), alignment(target.alignment), isSideBySide(threads.count > 1 || target.isGpu()),
        places(function) {}

  LogicalResult run() {
    bool valid = succeeded(checkArenas());
    for (const Place &place : places.all)
      if (auto op = place.buffer.getDefiningOp<ArenaOp>(); op && !isWellPlaced(op, place)) {
        op.emitError("internal error: a buffer is misplaced in the arena");
        valid = false;
      }
    function.walk([&](memref::MemorySpaceCastOp op) {
      if (spaceOf(op.getSource().getType()).getKind() == spaceOf(op.getDest().getType()).getKind())
        return;
      op.emitError("internal error: a view leaves the memory space of its buffer");
      valid = false;
    });
    function.walk([&](memref::AllocOp op) {
      op.emitError("internal error: an allocation is left");
      valid = false;
    });
    if (!valid)
      return failure();
    for (auto [number, place] : llvm::enumerate(places.all)) {
      good.push_back(&goodOf[{place.arena, place.stateOf}]);
      states.push_back(State::Unwritten);
      auto input = place.buffer.getDefiningOp<InputOp>();
      if ((input && !input.getState()) || place.buffer.getDefiningOp()->hasAttr("sinter.input"))
        become(number, State::Good);
    }
    execute(function.getBody());
    for (auto [place, state] : llvm::zip(places.all, states)) // what the caller reads next
      if (Operation *op = place.buffer.getDefiningOp();
          state == State::Overwritten && (op->hasAttr("sinter.output") || op->hasAttr("sinter.text"))) {
        op->emitError("internal error: an output, or text, is overwritten before the call ends");
        ++failures;
      }
    noteNeededBytes(function, places, alignment);
    return failure(failures > 0);
  }

private:
  int64_t alignmentOf(const Arena &arena) const { return arena.alignment ? arena.alignment : alignment; }

  /// Each may lie elsewhere, or those of a space in one block.
  LogicalResult checkArenas() {
    auto hostBytes = function->getAttrOfType<IntegerAttr>("sinter.arena_bytes");
    if (!hostBytes)
      return function.emitError("internal error: no arena size");
    std::map<MemoryKind, int64_t> end;
    for (const Arena &arena : places.arenas) {
      if (arena.begin < end[arena.space] || arena.bytes < 0 || arena.begin % alignmentOf(arena))
        return function.emitError("internal error: regions of the arena overlap or are not aligned");
      end[arena.space] = arena.begin + arena.bytes;
    }
    if (end[MemoryKind::Host] > hostBytes.getInt())
      return function.emitError("internal error: a region ends behind the arena");
    return success();
  }

  bool isWellPlaced(ArenaOp op, const Place &place) const {
    if (!place.arena)
      return false;
    const Arena &arena = places.arenas[*place.arena];
    return place.begin >= 0 && place.begin % alignmentOf(arena) == 0 && place.end >= place.begin &&
           place.end <= arena.bytes && !isTooSmall(op, cast<MemRefType>(op.getType()));
  }

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
    if (isa<ArenaOp>(op)) {
      beginAnew(op);
      return;
    }
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      Changes others = exchange(log.during([&] { execute(choice.getThenRegion()); }));
      Changes before = log.during([&] {
        if (!choice.getElseRegion().empty())
          execute(choice.getElseRegion());
      });
      others.insert(before.begin(), before.end()); // of what only the else region touches
      merge(others);
      return;
    }
    if (isa<LoopLikeOpInterface>(op)) {
      // Twice: the second time sees what the first left behind. Not at all is possible too.
      merge(log.during([&] {
        for (int round = 0; round < 2; ++round)
          for (Region &region : op->getRegions())
            execute(region);
      }));
      for (unsigned place : endingWith.lookup(op))
        if (states[place] == State::Good)
          become(place, State::Overwritten);
      return;
    }
    if (isa<ViewLikeOpInterface, memref::DimOp, memref::AllocaOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      execute(launch.getBody());
      checkSideBySide(launch);
      return;
    }
    access(op);
  }

  /// The ops of a launch run in any order, block by block: what one writes lies over nothing else that they touch.
  void checkSideBySide(LaunchOp launch) {
    SetVector<unsigned> touched, written;
    launch.getBody().walk([&](Operation *op) {
      SmallVector<Value> reads, writes;
      collectAccesses(op, reads, writes);
      for (Value value : reads)
        touched.insert(places.of(value).begin(), places.of(value).end());
      for (Value value : writes)
        written.insert(places.of(value).begin(), places.of(value).end());
    });
    touched.insert(written.begin(), written.end());
    for (unsigned place : written)
      for (unsigned other : touched)
        if (place != other && overlap(place, other)) {
          launch->emitError("internal error: a launch writes over what its other blocks read or write");
          ++failures;
          return;
        }
  }

  /// A buffer of a loop's body is another one in each round: what lies in its bytes from the round before is nobody's.
  void beginAnew(Operation *arena) {
    for (unsigned place : places.of(arena->getResult(0)))
      if (states[place] == State::Overwritten && arena->getParentOp() != function)
        become(place, State::Unwritten);
  }

  using Changes = ChangeLog<unsigned, State>::Changes; ///< by place

  void become(unsigned place, State state) {
    State old = states[place];
    if (old == state)
      return;
    log.note(place, old);
    const Place &at = places.all[place];
    if (old == State::Good)
      good[place]->remove(at.begin, at.end, place);
    if (state == State::Good)
      good[place]->add(at.begin, at.end, place);
    states[place] = state;
  }

  /// Each place is once more what `changes` says; what it was instead.
  Changes exchange(const Changes &changes) {
    Changes before;
    for (auto [place, state] : changes) {
      before[place] = states[place];
      become(place, state);
    }
    return before;
  }

  /// Either way of a choice may have been taken: the worse of the states.
  void merge(const Changes &other) {
    for (auto [place, state] : other)
      become(place, std::max(states[place], state));
  }

  bool overlap(unsigned a, unsigned b) const {
    const Place &one = places.all[a], &other = places.all[b];
    return good[a] == good[b] && one.begin < other.end && other.begin < one.end;
  }

  void access(Operation *op) {
    SmallVector<Value> reads, writes;
    op->walk([&](Operation *inner) { collectAccesses(inner, reads, writes); }); // loop bodies may load from buffers
    SetVector<unsigned> readPlaces;
    for (Value read : reads)
      readPlaces.insert(places.of(read).begin(), places.of(read).end());
    for (unsigned place : readPlaces)
      if (states[place] == State::Overwritten) {
        InFlightDiagnostic error = op->emitError("internal error: a buffer is overwritten before it is read");
        error.attachNote(places.all[place].buffer.getLoc()) << "the buffer at " << places.all[place].begin;
        ++failures;
        become(place, State::Good); // one report per mistake
      }
    for (Value write : writes)
      for (unsigned place : places.of(write)) {
        SetVector<unsigned> others;
        for (unsigned other : readPlaces)
          if (other != place && overlap(other, place))
            others.insert(other);
        for (unsigned other : good[place]->holdersOf(places.all[place].begin, places.all[place].end))
          if (other != place)
            others.insert(other);
        for (unsigned other : others) {
          if (scf::ForOp loop = loopBehindReads(op, other, place)) {
            endingWith[loop].insert(other);
            continue;
          }
          if (readPlaces.contains(other) && !isElementwise(op, places, other, place) &&
              (isSideBySide || !isBehindReads(op, places, other, place))) {
            op->emitError("internal error: an op writes over its own input");
            ++failures;
          }
          if (states[other] == State::Good)
            become(other, State::Overwritten);
        }
        become(place, State::Good);
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

  func::FuncOp function;
  int64_t alignment; ///< of what lies in an arena that states none
  bool isSideBySide; ///< the parts of an op are made at the same time: no order saves what they read
  ArenaPlaces places;
  std::vector<State> states;
  std::map<std::pair<std::optional<unsigned>, int64_t>, OccupiedBytes> goodOf; ///< by arena and state
  std::vector<OccupiedBytes *> good;                                           ///< by place: who is good in its arena
  ChangeLog<unsigned, State> log;
  std::map<std::tuple<Operation *, unsigned, unsigned>, bool> loopsBehindReads;
  DenseMap<Operation *, SetVector<unsigned>> endingWith; ///< places that a loop overwrites behind its reads
  unsigned failures = 0;
};

} // namespace

LogicalResult sinter::checkPlan(ModuleOp module, const Target &target, Threads threads) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(PlanChecker(function, target, threads).run()))
      return failure();
  return success();
}
