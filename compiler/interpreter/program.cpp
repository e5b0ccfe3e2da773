// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flattening: values to registers, conversions between the kind that a value is held in and the kind that it is
// computed in.
#include "program.h"

#include "engine.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sinter;

static std::optional<ElementKind> storedKindOf(Value value) {
  return elementKind(getElementTypeOrSelf(value.getType()));
}

char *Program::newRegister(ElementKind kind) {
  size_t bytes = lanes * elementBytes(kind);
  auto *memoryOfRegister = static_cast<char *>(memory.Allocate(bytes, 16));
  std::memset(memoryOfRegister, 0, bytes);
  return memoryOfRegister;
}

void Program::fill(char *target, ElementKind kind, const char *element) {
  size_t bytes = elementBytes(kind);
  for (size_t i = 0; i < lanes; ++i)
    std::memcpy(target + i * bytes, element, bytes);
}

char *Program::registerOf(Value value) {
  auto found = registers.find(value);
  if (found != registers.end())
    return found->second;
  std::optional<ElementKind> kind = storedKindOf(value);
  if (!kind || *kind == ElementKind::String || isa<ShapedType>(value.getType())) {
    unsupported = true;
    return newRegister(ElementKind::I64);
  }
  char *reg = newRegister(*kind); // from outside: the same in all lanes, filled by bind()
  captures.push_back({value, reg});
  define(value, reg);
  return reg;
}

char *Program::converted(char *from, ElementKind fromKind, ElementKind toKind, bool isSigned) {
  if (fromKind == toKind)
    return from;
  ConvertFn convert = findConversion(fromKind, toKind, isSigned);
  if (!convert) {
    unsupported = true;
    return from;
  }
  char *to = newRegister(toKind);
  emitConversion(convert, from, to);
  return to;
}

void Program::emitConversion(ConvertFn convert, const char *from, char *to) {
  emit([](const Instruction &instruction,
          size_t n) { reinterpret_cast<ConvertFn>(instruction.extra)(instruction.in[0], instruction.out, n); },
       to, {from}, 0, reinterpret_cast<void *>(convert));
}

char *Program::operandIn(Value value, ElementKind kind, bool isSigned) {
  return converted(registerOf(value), storedKindOf(value).value_or(kind), kind, isSigned);
}

void Program::emit(Instruction::Run run, char *out, ArrayRef<const char *> in, int64_t immediate, void *extra) {
  if (!run) {
    unsupported = true;
    return;
  }
  Instruction instruction;
  instruction.run = run;
  instruction.out = out;
  llvm::copy(in, instruction.in);
  instruction.immediate = immediate;
  instruction.extra = extra;
  instructions.push_back(instruction);
}

char *Program::emitTable(StringRef op, ElementKind kind, ArrayRef<const char *> in) {
  char *out = newRegister(kind);
  const ScalarOp *entry = findScalarOp(op);
  assert(entry && "not in scalar_ops.def");
  emit(entry->runFor(kind), out, in);
  return out;
}

bool Program::addTableOp(Operation *op, const ScalarOp &entry) {
  std::optional<ElementKind> kind = storedKindOf(op->getResult(0));
  if (!kind)
    return false;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() > 1 && integer.getWidth() < 8)
    return false;
  ElementKind compute = computeKind(*kind);
  if (op->getNumOperands() != entry.arity)
    return false;
  SmallVector<const char *, 3> in;
  for (Value operand : op->getOperands())
    in.push_back(operandIn(operand, compute, entry.isSigned));
  char *out = newRegister(compute);
  emit(entry.runFor(compute), out, in);
  define(op->getResult(0), converted(out, compute, *kind, entry.isSigned));
  return !unsupported;
}

bool Program::addRounding(Operation *op, StringRef name) {
  Instruction::Run run = findRounding(name);
  if (!run || storedKindOf(op->getOperand(0)) != ElementKind::F32 || storedKindOf(op->getResult(0)) != ElementKind::I32)
    return false;
  SmallVector<const char *, 2> in = {registerOf(op->getOperand(0))};
  if (op->getNumOperands() > 1)
    in.push_back(operandIn(op->getOperand(1), ElementKind::I32, true));
  char *out = newRegister(ElementKind::I32);
  emit(run, out, in);
  define(op->getResult(0), out);
  return true;
}

bool Program::addNamedConversion(Operation *op, StringRef name) {
  if (name == "cast_complex")
    return addConversion(op, true);
  std::optional<NamedConversion> conversion = findNamedConversion(name);
  std::optional<ElementKind> from = storedKindOf(op->getOperand(0)), to = storedKindOf(op->getResult(0));
  ElementKind floatKind = ElementKind::F32;
  if (!conversion || op->getNumOperands() != 1 || !from || !to ||
      elementBytes(conversion->decodes ? *from : *to) != 1 || (conversion->decodes ? *to : *from) != floatKind)
    return false;
  char *out = newRegister(*to);
  emitConversion(conversion->run, registerOf(op->getOperand(0)), out);
  define(op->getResult(0), out);
  return true;
}

bool Program::addOp(Operation *op) {
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    if (const ScalarOp *function = findScalarFunction(apply.getFunction()))
      return addTableOp(op, *function);
    return addRounding(op, apply.getFunction()) || addNamedConversion(op, apply.getFunction());
  }
  if (const ScalarOp *entry = findScalarOp(op->getName().getStringRef()))
    return addTableOp(op, *entry);
  return addSpecial(op) && !unsupported;
}

bool Program::addBlock(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    std::optional<ElementKind> kind = storedKindOf(argument);
    if (!kind || *kind == ElementKind::String)
      return false;
    char *reg = newRegister(*kind);
    define(argument, reg);
    arguments.push_back(reg);
  }
  for (Operation &op : block.without_terminator())
    if (!addOp(&op))
      return false;
  for (auto [i, value] : llvm::enumerate(block.getTerminator()->getOperands())) {
    results.push_back(registerOf(value));
    addends.push_back(addendOf(block, static_cast<unsigned>(i)));
  }
  return !unsupported;
}

char *Program::addendOf(Block &block, unsigned result) {
  unsigned arguments = block.getNumArguments(), results = block.getTerminator()->getNumOperands();
  auto add = block.getTerminator()->getOperand(result).getDefiningOp<arith::AddFOp>();
  if (results > arguments || !add || !add.getType().isF32() || add->getBlock() != &block)
    return nullptr;
  BlockArgument sum = block.getArgument(arguments - results + result);
  if (!sum.hasOneUse() || !add->hasOneUse() || (add.getLhs() != sum && add.getRhs() != sum))
    return nullptr;
  return registerOf(add.getLhs() == sum ? add.getRhs() : add.getLhs());
}

bool Program::addSingle(Operation *op) {
  for (Value operand : op->getOperands()) {
    std::optional<ElementKind> kind = storedKindOf(operand);
    if (!kind || *kind == ElementKind::String)
      return false;
    char *reg = newRegister(*kind);
    define(operand, reg);
    arguments.push_back(reg);
  }
  if (!addOp(op))
    return false;
  for (Value value : op->getResults())
    results.push_back(registerOf(value));
  return !unsupported;
}

bool Program::bind(Engine &engine) {
  fault = false;
  for (auto &[value, reg] : captures) {
    std::optional<HostTensor> tensor = engine.get(value);
    if (!tensor || tensor->size() != 1)
      return false;
    fill(reg, tensor->kind(), tensor->storedBytes());
  }
  for (auto &[value, gather] : gathers) {
    std::optional<HostTensor> tensor = engine.get(value);
    if (!tensor || tensor->kind() == ElementKind::String)
      return false;
    gather->tensor = std::move(*tensor);
  }
  return true;
}

void Program::gather(const Instruction &instruction, size_t n) {
  auto &state = *static_cast<Gather *>(instruction.extra);
  const HostTensor &tensor = state.tensor;
  size_t bytes = tensor.bytesPerElement();
  ArrayRef<int64_t> shape = tensor.shape();
  for (size_t lane = 0; lane < n; ++lane) {
    int64_t offset = 0;
    for (auto [index, size] : llvm::zip_equal(state.indices, shape)) {
      int64_t position = index[lane];
      if (position < 0 || position >= size) {
        *state.fault = true;
        return;
      }
      offset = offset * size + position;
    }
    std::memcpy(instruction.out + lane * bytes, tensor.storedBytes() + (tensor.isSplat() ? 0 : offset * bytes), bytes);
  }
}

void Program::checkIndex(const Instruction &instruction, size_t n) {
  auto *index = reinterpret_cast<const int64_t *>(instruction.in[0]);
  auto *size = reinterpret_cast<const int64_t *>(instruction.in[1]);
  auto *out = reinterpret_cast<int64_t *>(instruction.out);
  for (size_t lane = 0; lane < n; ++lane) {
    int64_t position = index[lane] < 0 && instruction.immediate ? index[lane] + size[lane] : index[lane];
    if (position < 0 || position >= size[lane])
      *static_cast<bool *>(instruction.extra) = true;
    out[lane] = position;
  }
}
