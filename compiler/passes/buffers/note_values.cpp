// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right before bufferization: which value each operand names. Buffers have no such names any more, so the check behind
// bufferization (memory/check_values.cpp) could not tell an overwritten value from the one that is meant. The names are
// attributes of the function (memory/named_values.h); ops keep the number of theirs in their location, which survives
// all that rewrites them.
#include "passes/passes.h"

#include "ir/destinations.h"
#include "memory/named_values.h"

using namespace mlir;
using namespace sinter;

namespace {

class Noter {
public:
  explicit Noter(func::FuncOp function) : function(function) {}

  void run() {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool hasTensors = llvm::any_of(
          llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()), llvm::to_vector(op->getResultTypes())),
          [](Type type) { return isa<RankedTensorType>(type); });
      if (hasTensors || op->getNumRegions())
        number[op] = number.size();
      return isa<ConstantOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    NamedValues names;
    reads.resize(number.size());
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (number.contains(op))
        note(op);
      return isa<ConstantOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    names.values = std::move(values);
    names.reads = std::move(reads);
    names.loops = std::move(loops);
    names.left = std::move(left);
    names.attachTo(function);
    for (auto [op, tag] : number)
      if (op != function)
        op->setLoc(withTag(op->getLoc(), tag));
  }

private:
  using Kind = NamedValues::Kind;

  /// The value's number; -1 for what is no tensor.
  int64_t idOf(Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return -1;
    int64_t id = later(value);
    while (!pending.empty()) {
      Value next = pending.pop_back_val();
      NamedValues::Value definition = define(next);
      values[ids.lookup(next)] = definition;
    }
    return id;
  }

  /// The number only; its definition follows.
  int64_t later(Value value) {
    auto [known, isNew] = ids.try_emplace(value, values.size());
    if (isNew) {
      values.emplace_back();
      pending.push_back(value);
    }
    return known->second;
  }

  NamedValues::Value define(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      unsigned index = argument.getArgNumber();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return {Kind::Carried, later(loop.getInitArgs()[index - 1]), later(loop.getYieldedValues()[index - 1])};
      if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        if (argument.getOwner() == loop.getAfterBody())
          return {Kind::Same, later(loop.getConditionOp().getArgs()[index])};
        return {Kind::Carried, later(loop.getInits()[index]), later(loop.getYieldOp().getOperand(index))};
      }
      return {Kind::Outside};
    }
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    unsigned index = result.getResultNumber();
    int64_t tag = number.lookup(op);
    if (isa<tensor::EmptyOp>(op) || isa<bufferization::AllocTensorOp>(op))
      return {Kind::Undefined};
    if (isa<ConstantOp>(op))
      return {Kind::Outside};
    if (auto from = dyn_cast<bufferization::ToTensorOp>(op)) {
      auto input = from.getMemref().getDefiningOp<InputOp>();
      if (input)
        return {Kind::Given, static_cast<int64_t>(input.getIndex())};
      return {from.getMemref().getDefiningOp<OutputOp>() ? Kind::Undefined : Kind::Outside};
    }
    if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      return {Kind::Same, later(copy.getSource())};
    if (auto copy = dyn_cast<linalg::CopyOp>(op))
      return {Kind::Same, later(copy.getInputs().front())};
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return {Kind::Inserted, later(insert.getDest()), later(insert.getSource())};
    if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      values.push_back({Kind::Made, tag, 0});
      return {Kind::Inserted, later(insert.getDest()), static_cast<int64_t>(values.size()) - 1};
    }
    if (Value source = viewSource(value))
      return {Kind::Same, later(source)};
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return {Kind::Left, later(loop.getRegionIterArg(index)), 0};
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return {Kind::Same, later(loop.getConditionOp().getArgs()[index])};
    if (auto choice = dyn_cast<scf::IfOp>(op))
      return {Kind::Inserted, later(choice.thenYield().getOperand(index)), later(choice.elseYield().getOperand(index))};
    return {Kind::Made, tag, index};
  }

  void note(Operation *op) {
    for (Value operand : op->getOperands())
      reads[number.lookup(op)].push_back(idOf(operand));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      noteLoop(op, loop.getRegionIterArgs());
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      noteLoop(op, loop.getBeforeArguments());
    if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op); copy && !copy.getResult())
      if (auto output = copy.getDest().getDefiningOp<OutputOp>()) {
        auto state = output->getAttrOfType<IntegerAttr>("sinter.state");
        left.push_back({state != nullptr, state ? state.getInt() : static_cast<int64_t>(output.getIndex()),
                        idOf(copy.getSource())});
      }
  }

  void noteLoop(Operation *op, ValueRange arguments) {
    auto &carried = loops[number.lookup(op)];
    for (Value argument : arguments)
      if (int64_t id = idOf(argument); id >= 0)
        carried.push_back(id);
  }

  func::FuncOp function;
  llvm::MapVector<Operation *, int64_t> number;
  DenseMap<Value, int64_t> ids;
  SmallVector<Value> pending;
  std::vector<NamedValues::Value> values;
  std::vector<SmallVector<int64_t>> reads;
  std::map<int64_t, SmallVector<int64_t>> loops;
  std::vector<NamedValues::Final> left;
};

} // namespace

LogicalResult sinter::noteValues(ModuleOp module) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    Noter(function).run();
  return success();
}
