// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-values: on every compile, a proof that bufferization and what follows kept the meaning. It runs the
// function on buffers that hold names instead of numbers: an op writes its own name (which result, in which iteration),
// a copy takes along the names that it finds, and what an op reads must be named as the operand was when it was a
// tensor (passes/note_values.cpp). A name that was not meant there is a value overwritten too early; none at all is one
// that nobody made. Loops run for some iterations, choices both ways. Whether buffers lie over each other in the arena
// is another question, check.cpp's.
#include "passes/passes.h"

#include "check_places.h"
#include "named_values.h"
#include "view_runs.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

/// A result of an op in one iteration of the loops around it, or a model input.
using Name = int64_t;
using Names = std::set<Name>;
constexpr Name any = -1; ///< nothing is known: counts as right

struct Entry {
  std::optional<Runs> where; ///< nothing: somewhere
  Names names;               ///< of several, not all need be in each part
  bool operator==(const Entry &other) const { return where == other.where && names == other.names; }
};

class ValueChecker {
public:
  ValueChecker(func::FuncOp function, NamedValues given) : function(function), values(std::move(given)) {
    for (const NamedValues::Value &value : values.values)
      if (value.kind == Kind::Made)
        results.insert({value.a, value.b});
  }

  LogicalResult run() {
    execute(function.getBody());
    checkOutputs();
    return failure(failures > 0);
  }

private:
  using Kind = NamedValues::Kind;

  // What a value is called now. ---------------------------------------------------------------------------------------

  Names namesOf(int64_t value) {
    Names found;
    std::vector<int64_t> work{value};
    std::set<int64_t> seen;
    while (!work.empty()) {
      int64_t id = work.back();
      work.pop_back();
      if (id < 0 || !seen.insert(id).second)
        continue;
      const NamedValues::Value &v = values.values[id];
      switch (v.kind) {
      case Kind::Undefined:
        break;
      case Kind::Outside:
        found.insert(any);
        break;
      case Kind::Given:
        found.insert(given(v.a));
        break;
      case Kind::Made:
        if (auto made = lastMade.find({v.a, v.b}); made != lastMade.end())
          found.insert(made->second);
        else
          found.insert(any); // folded into something else, or gone
        break;
      case Kind::Same:
        work.push_back(v.a);
        break;
      case Kind::Inserted:
        work.push_back(v.a);
        work.push_back(v.b);
        break;
      case Kind::Carried:
      case Kind::Left:
        if (auto bound = carried.find(v.kind == Kind::Left ? v.a : id); bound != carried.end()) {
          found.insert(bound->second.begin(), bound->second.end());
        } else if (v.kind == Kind::Left) {
          work.push_back(v.a);
        } else { // the loop is gone
          work.push_back(v.a);
          work.push_back(v.b);
        }
        break;
      }
    }
    return found;
  }

  Name given(int64_t input) { return nameFor(-1, input, {}); }

  Name nameFor(int64_t tag, int64_t result, const std::vector<int64_t> &path) {
    return names.try_emplace({tag, result, path}, static_cast<Name>(names.size())).first->second;
  }

  // What buffers hold.
  // --------------------------------------------------------------------------------------------------

  using Buffer = std::pair<Operation *, int64_t>; ///< the op that makes it, or the number of the caller's

  static Buffer bufferOf(Operation *maker) {
    if (auto input = dyn_cast<InputOp>(maker))
      return {nullptr, static_cast<int64_t>(input.getIndex())};
    return {maker, 0};
  }

  std::vector<Entry> &contentsOf(Operation *maker) {
    auto [found, isNew] = contents.try_emplace(bufferOf(maker));
    if (isNew) {
      bool isInput = isa<InputOp>(maker);
      if (auto input = maker->getAttrOfType<IntegerAttr>("sinter.input"))
        found->second.push_back({Runs{{0, INT64_MAX}}, {given(input.getInt())}});
      else if (isInput)
        found->second.push_back({Runs{{0, INT64_MAX}}, {given(static_cast<int64_t>(cast<InputOp>(maker).getIndex()))}});
    }
    return found->second;
  }

  static bool isFollowed(Operation *maker) { return isa<memref::AllocOp, ArenaOp, InputOp, OutputOp>(maker); }

  void write(Value view, const Names &what) {
    SmallVector<Operation *> makers = buffersOf(view);
    std::optional<Runs> where = makers.size() == 1 ? runsOf(view, numbers) : std::nullopt;
    for (Operation *maker : makers) {
      if (!isFollowed(maker))
        continue;
      std::vector<Entry> &entries = contentsOf(maker);
      if (where) {
        for (Entry &entry : entries)
          if (entry.where)
            entry.where = difference(*entry.where, *where);
        llvm::erase_if(entries, [](const Entry &entry) { return entry.where && entry.where->empty(); });
      }
      Entry made{where, what};
      if (!llvm::is_contained(entries, made))
        entries.push_back(std::move(made));
    }
  }

  void copy(memref::CopyOp op) {
    SmallVector<Operation *> makers = buffersOf(op.getSource());
    std::optional<Runs> from = runsOf(op.getSource(), numbers), to = runsOf(op.getTarget(), numbers);
    bool isShift = makers.size() == 1 && from && to && from->size() == 1 && to->size() == 1 &&
                   cast<MemRefType>(op.getSource().getType()).getShape().size() ==
                       cast<MemRefType>(op.getTarget().getType()).getShape().size();
    std::vector<Entry> taken;
    Names all;
    for (Operation *maker : makers) {
      if (!isFollowed(maker)) {
        all.insert(any);
        continue;
      }
      for (const Entry &entry : contentsOf(maker)) {
        if (from && entry.where && !overlap(*from, *entry.where))
          continue;
        all.insert(entry.names.begin(), entry.names.end());
        taken.push_back(entry);
      }
    }
    write(op.getTarget(), {});
    for (Operation *maker : buffersOf(op.getTarget())) {
      if (!isFollowed(maker))
        continue;
      std::vector<Entry> &entries = contentsOf(maker);
      llvm::erase_if(entries, [](const Entry &entry) { return entry.names.empty(); });
      if (!isShift || all.count(any)) {
        if (!all.empty())
          entries.push_back({to, all});
        continue;
      }
      int64_t shift = to->front().first - from->front().first;
      for (Entry &entry : taken) {
        if (entry.where) {
          Runs moved;
          for (auto [begin, end] : *entry.where) {
            begin = std::max(begin, from->front().first);
            end = std::min(end, from->front().second);
            if (begin < end)
              moved.emplace_back(begin + shift, end + shift);
          }
          entry.where = moved;
        }
        entries.push_back(entry);
      }
    }
  }

  void check(Operation *op, Value view, int64_t value) {
    Names meant = namesOf(value);
    if (meant.count(any) || meant.empty())
      return;
    SmallVector<Operation *> makers = buffersOf(view);
    std::optional<Runs> where = makers.size() == 1 ? runsOf(view, numbers) : std::nullopt;
    if (where && where->empty())
      return;
    bool isThere = false;
    for (Operation *maker : makers) {
      if (!isFollowed(maker)) {
        isThere = true;
        continue;
      }
      for (const Entry &entry : contentsOf(maker)) {
        if (where && entry.where && !overlap(*where, *entry.where))
          continue;
        bool hasSome =
            entry.names.count(any) || llvm::any_of(entry.names, [&](Name name) { return meant.count(name) > 0; });
        isThere |= hasSome;
        if (!hasSome && where && entry.where)
          return report(op, "reads a value that another was written over", maker);
      }
    }
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

  // The run.
  // ------------------------------------------------------------------------------------------------------------

  void execute(Region &region) {
    for (Operation &op : region.front())
      execute(&op);
  }

  void execute(Operation *op) {
    if (isa<ConstantOp>(op))
      return;
    if (isa<memref::AllocOp, ArenaOp>(op)) {
      if (!op->hasAttr("sinter.input"))
        contents[bufferOf(op)].clear();
    } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
      auto before = contents;
      execute(choice.getThenRegion());
      std::swap(before, contents);
      if (!choice.getElseRegion().empty())
        execute(choice.getElseRegion());
      merge(before);
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

  void merge(const std::map<Buffer, std::vector<Entry>> &other) {
    for (const auto &[buffer, entries] : other) {
      auto [found, isNew] = contents.try_emplace(buffer);
      for (const Entry &entry : entries)
        if (!llvm::is_contained(found->second, entry))
          found->second.push_back(entry);
    }
  }

  /// Binds what the loop carries to what it starts from, or to what the body has made of it; all at once.
  void bind(int64_t tag, bool isFirst, bool keepOld = false) {
    auto found = values.loops.find(tag);
    if (found == values.loops.end())
      return;
    std::vector<Names> next;
    for (int64_t id : found->second)
      next.push_back(namesOf(isFirst ? values.values[id].a : values.values[id].b));
    for (auto [id, what] : llvm::zip(found->second, next)) {
      if (keepOld)
        what.insert(carried[id].begin(), carried[id].end());
      carried[id] = std::move(what);
    }
  }

  /// All, where these are few ops; else enough to see each of some carried values in each one's place.
  int64_t iterationsOf(Operation *loop) {
    constexpr int64_t mostOps = 4096, someIterations = 5;
    int64_t ops = 0;
    loop->walk([&](Operation *) { ++ops; });
    return path.empty() ? std::max(someIterations, mostOps / ops) : 2;
  }

  void executeFor(scf::ForOp loop) {
    int64_t tag = tagOf(loop).value_or(-1);
    std::optional<int64_t> from = numbers.of(loop.getLowerBound()), to = numbers.of(loop.getUpperBound()),
                           by = numbers.of(loop.getStep());
    int64_t trips = from && to && by && *by > 0 ? std::max<int64_t>((*to - *from + *by - 1) / *by, 0) : INT64_MAX;
    bool certain = getConstantIntValue(loop.getLowerBound()) && getConstantIntValue(loop.getUpperBound());
    auto before = contents;
    bind(tag, /*isFirst=*/true);
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      setNumber(argument, numbersOf(init));
    int64_t rounds = std::min(trips, iterationsOf(loop));
    isCutShort |= rounds < trips;
    for (int64_t i = 0; i < rounds; ++i) {
      numbers.set(loop.getInductionVar(), from && by ? std::optional(*from + i * *by) : std::nullopt);
      path.push_back(i);
      execute(loop.getRegion());
      path.pop_back();
      bind(tag, /*isFirst=*/false, !certain && i + 1 == rounds);
      SmallVector<std::optional<int64_t>> next =
          llvm::map_to_vector(loop.getYieldedValues(), [&](Value v) { return numbersOf(v); });
      for (auto [argument, number] : llvm::zip(loop.getRegionIterArgs(), next))
        setNumber(argument, number);
    }
    if (!certain) {
      merge(before);
      keepStart(tag);
    }
  }

  void executeWhile(scf::WhileOp loop) {
    int64_t tag = tagOf(loop).value_or(-1);
    bind(tag, /*isFirst=*/true);
    auto before = contents;
    for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      setNumber(argument, numbersOf(init));
    int64_t rounds = path.empty() ? 5 : 2;
    isCutShort = true;
    for (int64_t i = 0; i < rounds; ++i) {
      path.push_back(i);
      execute(loop.getBefore());
      for (auto [argument, passed] : llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
        setNumber(argument, numbersOf(passed));
      execute(loop.getAfter());
      path.pop_back();
      bind(tag, /*isFirst=*/false, i + 1 == rounds);
      SmallVector<std::optional<int64_t>> next =
          llvm::map_to_vector(loop.getYieldOp().getOperands(), [&](Value v) { return numbersOf(v); });
      for (auto [argument, number] : llvm::zip(loop.getBeforeArguments(), next))
        setNumber(argument, number);
    }
    merge(before);
    keepStart(tag);
  }

  /// A loop that may not run at all leaves what it starts from.
  void keepStart(int64_t tag) {
    if (auto found = values.loops.find(tag); found != values.loops.end())
      for (int64_t id : found->second) {
        Names start = namesOf(values.values[id].a);
        carried[id].insert(start.begin(), start.end());
      }
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
    auto name = [&](int64_t result) {
      if (!tag)
        return any;
      if (!results.count({*tag, result})) // a fill in several pieces, or scratch
        result = 0;
      Name made = nameFor(*tag, result, path);
      lastMade[{*tag, result}] = made;
      return made;
    };
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
  void writeSomewhere(Value view, Name name) {
    for (Operation *maker : buffersOf(view))
      if (isFollowed(maker)) {
        std::vector<Entry> &entries = contentsOf(maker);
        // Of a buffer with one element, all.
        if (cast<MemRefType>(view.getType()).hasStaticShape() && cast<MemRefType>(view.getType()).getNumElements() == 1)
          return write(view, {name});
        Entry made{std::nullopt, {name}};
        if (!llvm::is_contained(entries, made))
          entries.push_back(std::move(made));
      }
  }

  func::FuncOp function;
  NamedValues values;
  std::map<std::tuple<int64_t, int64_t, std::vector<int64_t>>, Name> names;
  std::set<std::pair<int64_t, int64_t>> results; ///< op and number, of all that is named
  std::map<std::pair<int64_t, int64_t>, Name> lastMade;
  std::map<int64_t, Names> carried;
  std::map<Buffer, std::vector<Entry>> contents;
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
