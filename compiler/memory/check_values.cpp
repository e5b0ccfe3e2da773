// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-values: on every compile, a proof that bufferization and what follows kept the meaning. It runs the
// function on buffers that hold names instead of numbers: an op writes its own name (which result, in which iteration),
// a copy takes along the names that it finds, and what an op reads must be named as the operand was when it was a
// tensor (passes/buffers/note_values.cpp). A name that was not meant there is a value overwritten too early; none at
// all is one that nobody made. Loops run for some iterations, choices both ways. Whether buffers lie over each other in
// the arena is another question, check.cpp's.
#include "passes.h"

#include "ir/launch.h"

#include "buffer_contents.h"
#include "check_places.h"
#include "consistent_sizes.h"
#include "current_names.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

class ValueChecker {
public:
  ValueChecker(func::FuncOp function, NamedValues given)
      : function(function), values(std::move(given)), names(values) {}

  LogicalResult run() {
    std::optional<Numbers> sizes = consistentSizes(function);
    if (!sizes) // then a call ends at an assertion, as far as we know, and reads nothing
      return success();
    numbers = std::move(*sizes);
    execute(function.getBody());
    checkOutputs();
    return failure(failures > 0);
  }

private:
  // What buffers hold. ------------------------------------------------------------------------------------------------

  using Buffer = BufferContents::Buffer;

  static Buffer bufferOf(Operation *maker) {
    if (auto input = dyn_cast<InputOp>(maker))
      return {nullptr, static_cast<int64_t>(input.getIndex())};
    return {maker, 0};
  }

  /// Its contents start as what the caller gives.
  Buffer contentsOf(Operation *maker) {
    Buffer buffer = bufferOf(maker);
    if (contents.isKnown(buffer))
      return buffer;
    ValueNames held;
    if (auto number = maker->getAttrOfType<IntegerAttr>("sinter.input"))
      held.insert(names.given(number.getInt()));
    else if (auto input = dyn_cast<InputOp>(maker))
      held.insert(names.given(static_cast<int64_t>(input.getIndex())));
    contents.begin(buffer, held);
    return buffer;
  }

  static bool isFollowed(Operation *maker) {
    return isa<memref::AllocOp, memref::AllocaOp, ArenaOp, InputOp, OutputOp>(maker);
  }

  void write(Value view, const ValueNames &what) {
    SmallVector<Operation *> makers = buffersOf(view);
    std::optional<Runs> where = makers.size() == 1 ? runsOf(view, numbers) : std::nullopt;
    for (Operation *maker : makers)
      if (isFollowed(maker))
        contents.write(contentsOf(maker), where, what);
  }

  void copy(memref::CopyOp op) {
    SmallVector<Operation *> makers = buffersOf(op.getSource());
    std::optional<Runs> from = runsOf(op.getSource(), numbers), to = runsOf(op.getTarget(), numbers);
    bool isShift = makers.size() == 1 && from && to && from->size() == 1 && to->size() == 1 &&
                   cast<MemRefType>(op.getSource().getType()).getShape().size() ==
                       cast<MemRefType>(op.getTarget().getType()).getShape().size();
    std::vector<std::pair<ValueNames, std::optional<Runs>>> taken;
    ValueNames all;
    for (Operation *maker : makers) {
      if (!isFollowed(maker)) {
        all.insert(anyValue);
        continue;
      }
      contents.visit(contentsOf(maker), from, [&](const ValueNames &held, const std::optional<Runs> &where) {
        all.insert(held.begin(), held.end());
        taken.emplace_back(held, where);
      });
    }
    write(op.getTarget(), {});
    for (Operation *maker : buffersOf(op.getTarget())) {
      if (!isFollowed(maker))
        continue;
      Buffer target = contentsOf(maker);
      if (!isShift || all.count(anyValue)) {
        contents.add(target, to, all);
        continue;
      }
      int64_t shift = to->front().first - from->front().first;
      for (auto [held, where] : taken) {
        if (where)
          where = Runs{{where->front().first + shift, where->front().second + shift}};
        contents.add(target, where, held);
      }
    }
  }

  void check(Operation *op, Value view, int64_t value) {
    CurrentNames::Search meant(names, value);
    SmallVector<Operation *> makers = buffersOf(view);
    std::optional<Runs> where = makers.size() == 1 ? runsOf(view, numbers) : std::nullopt;
    if (where && where->empty())
      return;
    bool isThere = false, isOverwritten = false;
    for (Operation *maker : makers) {
      if (!isFollowed(maker)) {
        isThere = true;
        continue;
      }
      contents.visit(contentsOf(maker), where, [&](const ValueNames &held, const std::optional<Runs> &part) {
        bool hasSome = held.count(anyValue) || meant.hasOneOf(held);
        isThere |= hasSome;
        isOverwritten |= !hasSome && where && part;
      });
    }
    if ((isThere && !isOverwritten) || meant.all().count(anyValue) || meant.all().empty())
      return;
    if (isOverwritten)
      return report(op, "reads a value that another was written over", makers.front());
    if (!isThere && !isCutShort)
      report(op, "reads a value that nobody has written", makers.front());
  }

  void report(Operation *op, const char *what, Operation *maker) {
    ++failures;
    if (!reported.insert(op).second)
      return;
    InFlightDiagnostic error = emitError(withoutTag(op->getLoc()), "internal error: an op ") << what;
    error.attachNote(withoutTag(maker->getLoc())) << "in this buffer";
  }

  void checkOutputs() {
    function.walk([&](Operation *op) {
      auto outputIndex = op->getAttrOfType<IntegerAttr>("sinter.output");
      auto output = dyn_cast<OutputOp>(op);
      auto input = dyn_cast<InputOp>(op);
      bool isState = input && input.getState();
      if (!outputIndex && !output && !isState)
        return;
      int64_t index = outputIndex ? outputIndex.getInt()
                      : output    ? static_cast<int64_t>(output.getIndex())
                                  : static_cast<int64_t>(input.getIndex());
      for (const NamedValues::Final &final : values.left)
        if (final.isState == isState && final.index == index)
          check(op, op->getResult(0), final.value);
    });
  }

  // The run. ----------------------------------------------------------------------------------------------------------

  void execute(Region &region) {
    for (Operation &op : region.front())
      execute(&op);
  }

  void execute(Operation *op) {
    if (isa<ConstantOp>(op))
      return;
    if (isa<memref::AllocOp, memref::AllocaOp, ArenaOp>(op)) {
      if (!op->hasAttr("sinter.input"))
        contents.clear(bufferOf(op));
    } else if (auto launch = dyn_cast<LaunchOp>(op)) {
      execute(launch.getBody());
    } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
      auto others = contents.exchange(contents.changesBy([&] { execute(choice.getThenRegion()); }));
      auto before = contents.changesBy([&] {
        if (!choice.getElseRegion().empty())
          execute(choice.getElseRegion());
      });
      others.insert(before.begin(), before.end()); // of what only the else region touches
      contents.merge(others);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      executeFor(loop);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      executeWhile(loop);
    } else if (auto move = dyn_cast<memref::CopyOp>(op)) {
      copy(move);
    } else if (!isa<ViewLikeOpInterface, memref::DimOp>(op) && !op->hasTrait<OpTrait::IsTerminator>()) {
      access(op);
    }
  }

  /// In a loop within loops enough to see what one iteration leaves to the next; in deep ones, which would run 2^depth
  /// times, what it leaves to itself.
  int64_t iterationsWithin() const {
    constexpr size_t deep = 6;
    return path.size() < deep ? 2 : 1;
  }

  /// All, where these are few ops; else enough to see each of some carried values in each one's place.
  int64_t iterationsOf(Operation *loop) {
    constexpr int64_t mostOps = 4096, someIterations = 5;
    int64_t ops = 0;
    loop->walk([&](Operation *) { ++ops; });
    return path.empty() ? std::max(someIterations, mostOps / ops) : iterationsWithin();
  }

  void executeFor(scf::ForOp loop) {
    int64_t tag = tagOf(loop).value_or(-1);
    std::optional<int64_t> from = numbers.of(loop.getLowerBound()), to = numbers.of(loop.getUpperBound()),
                           by = numbers.of(loop.getStep());
    int64_t trips = from && to && by && *by > 0 ? std::max<int64_t>((*to - *from + *by - 1) / *by, 0) : INT64_MAX;
    bool certain = getConstantIntValue(loop.getLowerBound()) && getConstantIntValue(loop.getUpperBound());
    names.enter(tag);
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      setNumber(argument, numbersOf(init));
    int64_t rounds = std::min(trips, iterationsOf(loop));
    isCutShort |= rounds < trips;
    auto before = contents.changesBy([&] {
      for (int64_t i = 0; i < rounds; ++i) {
        numbers.set(loop.getInductionVar(), from && by ? std::optional(*from + i * *by) : std::nullopt);
        path.push_back(i);
        execute(loop.getRegion());
        path.pop_back();
        names.next(tag, !certain && i + 1 == rounds);
        SmallVector<std::optional<int64_t>> next =
            llvm::map_to_vector(loop.getYieldedValues(), [&](Value v) { return numbersOf(v); });
        for (auto [argument, number] : llvm::zip(loop.getRegionIterArgs(), next))
          setNumber(argument, number);
      }
    });
    if (!certain) {
      contents.merge(before);
      names.mayNotRun(tag);
    }
  }

  void executeWhile(scf::WhileOp loop) {
    int64_t tag = tagOf(loop).value_or(-1);
    names.enter(tag);
    for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      setNumber(argument, numbersOf(init));
    int64_t rounds = path.empty() ? 5 : iterationsWithin();
    isCutShort = true;
    auto before = contents.changesBy([&] {
      for (int64_t i = 0; i < rounds; ++i) {
        path.push_back(i);
        execute(loop.getBefore());
        for (auto [argument, passed] : llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
          setNumber(argument, numbersOf(passed));
        execute(loop.getAfter());
        path.pop_back();
        names.next(tag, i + 1 == rounds);
        SmallVector<std::optional<int64_t>> next =
            llvm::map_to_vector(loop.getYieldOp().getOperands(), [&](Value v) { return numbersOf(v); });
        for (auto [argument, number] : llvm::zip(loop.getBeforeArguments(), next))
          setNumber(argument, number);
      }
    });
    contents.merge(before);
    names.mayNotRun(tag);
  }

  std::optional<int64_t> numbersOf(Value value) {
    return value.getType().isIntOrIndex() ? numbers.of(value) : std::nullopt;
  }
  void setNumber(Value argument, std::optional<int64_t> number) {
    if (argument.getType().isIntOrIndex())
      numbers.set(argument, number);
  }

  void access(Operation *op) {
    op->walk([&](Operation *inner) { checkReads(inner); }); // loop bodies may load from buffers
    op->walk([&](Operation *inner) { noteWrites(inner); });
  }

  void checkReads(Operation *op) {
    std::optional<int64_t> tag = tagOf(op);
    if (!tag || *tag >= static_cast<int64_t>(values.reads.size()))
      return;
    SmallVector<Value> reads, writes;
    collectAccesses(op, reads, writes);
    ArrayRef<int64_t> meant = values.reads[*tag];
    for (OpOperand &operand : op->getOpOperands())
      if (operand.getOperandNumber() < meant.size() && meant[operand.getOperandNumber()] >= 0 &&
          isa<BaseMemRefType>(operand.get().getType()) && isRead(operand, reads))
        check(op, operand.get(), meant[operand.getOperandNumber()]);
  }

  /// One buffer may be read as an operand and written as another; which is which only destination-style ops say.
  static bool isRead(OpOperand &operand, ArrayRef<Value> reads) {
    if (!llvm::is_contained(reads, operand.get()))
      return false;
    auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
    if (!dps || !dps.isDpsInit(&operand))
      return true;
    if (auto loops = dyn_cast<linalg::LinalgOp>(operand.getOwner()))
      return loops.payloadUsesValueFromOperand(&operand);
    return operand.getOwner()->hasAttr("updates");
  }

  void noteWrites(Operation *op) {
    std::optional<int64_t> tag = tagOf(op);
    auto name = [&](int64_t result) { return tag ? names.make(*tag, result, path) : anyValue; };
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      for (auto [i, init] : llvm::enumerate(dps.getDpsInitsMutable()))
        if (isa<BaseMemRefType>(init.get().getType()))
          write(init.get(), {name(static_cast<int64_t>(i))});
      return;
    }
    SmallVector<Value> reads, writes;
    collectAccesses(op, reads, writes);
    for (Value view : writes)
      if (isa<memref::StoreOp>(op))
        writeSomewhere(view, name(0));
      else
        write(view, {name(0)});
  }

  /// One element.
  void writeSomewhere(Value view, ValueName name) {
    // Of a buffer with one element, all.
    auto type = cast<MemRefType>(view.getType());
    if (type.hasStaticShape() && type.getNumElements() == 1)
      return write(view, {name});
    for (Operation *maker : buffersOf(view))
      if (isFollowed(maker))
        contents.add(contentsOf(maker), std::nullopt, {name});
  }

  func::FuncOp function;
  NamedValues values;
  CurrentNames names;
  BufferContents contents;
  std::vector<int64_t> path; ///< the iteration of each loop around
  Numbers numbers;
  DenseSet<Operation *> reported;
  bool isCutShort = false; ///< some iterations did not run: what they write is missing
  unsigned failures = 0;
};

} // namespace

LogicalResult sinter::checkValues(ModuleOp module) {
  LogicalResult result = success();
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (std::optional<NamedValues> values = NamedValues::detachFrom(function))
      if (failed(ValueChecker(function, std::move(*values)).run()))
        result = failure();
    function.walk([](Operation *op) { op->setLoc(withoutTag(op->getLoc())); });
  }
  return result;
}
