// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values, budget and dispatch of an interpretation. Each op's meaning: the files named after dialects.
#include "engine.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace sinter;

static HandlerTable makeHandlers() {
  HandlerTable table;
  addTensorHandlers(table);
  addSliceHandlers(table);
  addLayoutHandlers(table);
  addControlFlowHandlers(table);
  addSinterHandlers(table);
  addContractionHandlers(table);
  addEdgeHandlers(table);
  addKernelHandlers(table);
  return table;
}

Handler sinter::findHandler(Operation *op) {
  static const HandlerTable table = makeHandlers();
  if (auto found = table.find(op->getName().getTypeID()); found != table.end())
    return found->second;
  if (isa<linalg::LinalgOp>(op))
    return runStructured;
  if (!op->getDialect())
    return nullptr;
  StringRef dialect = op->getDialect()->getNamespace();
  if (dialect == "arith" || dialect == "math" || dialect == "complex" || isa<CheckIndexOp, RequantizeOp>(op) ||
      isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return runElementwise;
  return nullptr;
}

SmallVector<Value> sinter::capturedValues(Operation *op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured.takeVector();
}

const HostTensor *Engine::known(Value value) const {
  if (auto found = values.find(value); found != values.end())
    return &found->second;
  if (auto found = cache.values.find(value); found != cache.values.end() && found->second)
    return &*found->second;
  return nullptr;
}

std::optional<HostTensor> Engine::get(Value value) {
  if (const HostTensor *tensor = known(value))
    return *tensor;
  if (demand(value))
    return *known(value);
  return std::nullopt;
}

std::optional<int64_t> Engine::index(Value value) {
  std::optional<HostTensor> tensor = get(value);
  if (!tensor || tensor->size() != 1 || !isIntegerKind(tensor->kind()))
    return std::nullopt;
  return tensor->integerAt(0);
}

std::optional<int64_t> Engine::index(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return index(cast<Value>(value));
}

template <class Range>
static std::optional<SmallVector<int64_t>> allIndices(Engine &engine, Range values) {
  SmallVector<int64_t> result;
  for (auto value : values) {
    std::optional<int64_t> index = engine.index(value);
    if (!index)
      return std::nullopt;
    result.push_back(*index);
  }
  return result;
}

std::optional<SmallVector<int64_t>> Engine::indices(ArrayRef<OpFoldResult> values) { return allIndices(*this, values); }
std::optional<SmallVector<int64_t>> Engine::indices(ValueRange values) { return allIndices(*this, values); }

std::optional<HostTensor> Engine::take(Value value) {
  // Used here and nowhere else, once per run of its block: nobody misses it.
  bool onlyHere = value.hasOneUse() && value.getUses().begin()->getOwner()->getBlock() == value.getParentBlock();
  auto found = onlyHere ? values.find(value) : values.end();
  if (found == values.end())
    return get(value);
  HostTensor taken = std::move(found->second);
  values.erase(found);
  return taken;
}

std::optional<HostTensor> Engine::own(Value value) {
  std::optional<HostTensor> shared = take(value);
  if (!shared || (shared->isUnique() && !shared->isSplat()))
    return shared;
  std::optional<HostTensor> copy = allocate(shared->getElementType(), shared->shape());
  if (!copy)
    return std::nullopt;
  if (shared->kind() == ElementKind::String)
    llvm::copy(shared->strings(), copy->mutableStrings().begin());
  else if (shared->isSplat())
    fillElements(shared->kind(), copy->mutableBytes(), copy->size(), shared->storedBytes());
  else if (shared->size())
    std::memcpy(copy->mutableBytes(), shared->bytes(), shared->sizeInBytes());
  return copy;
}

std::optional<HostTensor> Engine::allocate(Type elementType, ArrayRef<int64_t> shape) {
  std::optional<ElementKind> kind = elementKind(elementType);
  int64_t count = countElements(shape), bytes = 0;
  if (!kind || count < 0 || llvm::MulOverflow(count, static_cast<int64_t>(elementBytes(*kind)), bytes))
    return std::nullopt;
  if (bytes > budget.tensorBytes || *cache.liveBytes + bytes > budget.totalBytes) {
    budgetExceeded = true;
    return std::nullopt;
  }
  if (bytes < 4096)
    return HostTensor::allocate(elementType, shape);
  *cache.liveBytes += bytes;
  // the count goes down with the last handle
  std::shared_ptr<void> account(nullptr, [live = cache.liveBytes, bytes](void *) { *live -= bytes; });
  return HostTensor::allocate(elementType, shape, std::move(account));
}

bool Engine::runBlock(Block &block, Tensors arguments, Tensors &results) {
  for (auto [argument, tensor] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = std::move(tensor);
  arguments.clear();
  for (Operation &op : block.without_terminator())
    if (!execute(&op))
      return false;
  results.clear();
  for (Value value : block.getTerminator()->getOperands()) {
    std::optional<HostTensor> tensor = take(value);
    if (!tensor)
      return false;
    results.push_back(std::move(*tensor));
  }
  return true;
}

template <class Add>
static Program *cachedProgram(llvm::DenseMap<void *, std::unique_ptr<Program>> &programs, void *key, size_t lanes,
                              Add add) {
  auto [entry, inserted] = programs.try_emplace(key);
  if (inserted) {
    auto program = std::make_unique<Program>(lanes);
    if (add(*program))
      entry->second = std::move(program);
  }
  return entry->second.get();
}

Program *Engine::programFor(Operation *op, size_t lanes) {
  return cachedProgram(programs, op, lanes, [&](Program &program) { return program.addSingle(op); });
}

Program *Engine::programFor(Block *block, size_t lanes) {
  return cachedProgram(programs, block, lanes, [&](Program &program) { return program.addBlock(*block); });
}
