// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration, verifiers and effects of the sinter dialect. Bufferization of its ops: bufferizable.cpp.
#include "dialect.h"

#include "launch.h"
#include "spreads.h"
#include "state_rows.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sinter;

#include "dialect.cpp.inc"
#include "enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "attributes.cpp.inc"

#define GET_OP_CLASSES
#include "ops.cpp.inc"
#define GET_OP_CLASSES
#include "launch.cpp.inc"
#define GET_OP_CLASSES
#include "state_rows.cpp.inc"

namespace {
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &out) const override {
    if (!isa<CandidatesAttr>(attribute))
      return AliasResult::NoAlias;
    out << "candidates";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void SinterDialect::initialize() {
  addInterface<Aliases>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ops.cpp.inc"
      ,
#define GET_OP_LIST
#include "launch.cpp.inc"
      ,
#define GET_OP_LIST
#include "state_rows.cpp.inc"
      >();
}

namespace {
using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// On tensors a destination-style op has no effect; on buffers it reads its inputs and writes its inits.
void addBufferEffects(DestinationStyleOpInterface op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand, SideEffects::DefaultResource::get());
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand, SideEffects::DefaultResource::get());
  }
}

/// An epilogue takes the accumulator and one element per epilogue input, and yields one element per output. A kernel
/// may have one more init: what it works in.
template <class OpTy>
LogicalResult verifyEpilogue(OpTy op) {
  Block &block = op.getEpilogue().front();
  if (block.getNumArguments() != 1 + op.getEpilogueInputs().size())
    return op.emitOpError("epilogue needs the accumulator and one argument per epilogue input");
  if (op.getEpilogueMaps().size() != op.getEpilogueInputs().size())
    return op.emitOpError("needs one epilogue map per epilogue input");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || op.getInits().size() < yield.getValues().size() ||
      op.getInits().size() > yield.getValues().size() + (op.getKernelAttr() ? 2 : 0)) // scratch, counters
    return op.emitOpError("epilogue must yield one element per output");
  return success();
}

/// One letter per operand; a zero point is a value that its operand can have.
LogicalResult verifyIntegers(Operation *op, Value left, Value right, StringRef signs, int64_t leftZero,
                             int64_t rightZero) {
  if (signs.size() != 2 || signs.find_first_not_of("su") != StringRef::npos)
    return op->emitOpError("signs has one letter, s or u, for each of two operands");
  auto fits = [](Value operand, char sign, int64_t zero) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(operand.getType()));
    if (zero == 0 || !type)
      return zero == 0;
    return sign == 'u' ? zero > 0 && llvm::isUIntN(type.getWidth(), zero) : llvm::isIntN(type.getWidth(), zero);
  };
  if (!fits(left, signs[0], leftZero) || !fits(right, signs[1], rightZero))
    return op->emitOpError("a zero point is no value of its operand's type");
  return success();
}

/// Of a buffer: this dialect's attribute, or none.
LogicalResult verifySpace(Operation *op) {
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (type && type.getMemorySpace() && !isa<SpaceAttr>(type.getMemorySpace()))
    return op->emitOpError("lies in a memory space other than #sinter.space");
  return success();
}
} // namespace

void ConvOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void MatmulOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void PoolOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void KernelOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void LaunchOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }

LogicalResult ConstantOp::verify() { return verifySpace(*this); }
LogicalResult InputOp::verify() { return verifySpace(*this); }
LogicalResult OutputOp::verify() { return verifySpace(*this); }
LogicalResult ArenaOp::verify() { return verifySpace(*this); }

LogicalResult ConvOp::verify() {
  if (getRowPad() && (getPads().empty() || getPads()[0] != 0))
    return emitOpError("row_pad stands for the first pad, which must be 0");
  auto isOne = [](int64_t step) { return step == 1; };
  if (DenseI64ArrayAttr spreads = spreadsOf(*this);
      spreads && (spreads.size() != int64_t(getStrides().size()) || !llvm::all_of(getStrides(), isOne) ||
                  llvm::any_of(spreads.asArrayRef(), [](int64_t spread) { return spread < 1; })))
    return emitOpError("spreads are one for each spatial dim, and strides are 1 then");
  if (failed(verifyIntegers(*this, getInput(), getFilter(), getSigns(), getInputZero(), getFilterZero())))
    return failure();
  return verifyEpilogue(*this);
}

int64_t ConvOp::taps(int64_t d) {
  KernelAttr kernel = getKernelAttr();
  if (kernel && kernel.has("taps"))
    return kernel.numbers("taps")[d];
  std::optional<ArrayRef<int64_t>> packed = kernel ? kernel.dimsOf(2 + d) : std::nullopt;
  return cast<ShapedType>(getFilter().getType()).getDimSize(packed ? packed->front() : 2 + d);
}

LogicalResult PoolOp::verify() {
  auto x = cast<ShapedType>(getInput().getType());
  size_t spatial = getWindow().size();
  if (getInits().size() != 1 || x.getElementType() != getElementTypeOrSelf(getInits()[0].getType()))
    return emitOpError("makes one map of its input's element type");
  if (getLayout() != "nchw" && !isBlocked())
    return emitOpError("layout is nchw or nchwc");
  if (spatial < 1 || spatial > 3 || x.getRank() != int64_t(spatial + (isBlocked() ? 3 : 2)))
    return emitOpError("has a window of one to three dims behind image and channel");
  if (getStrides().size() != spatial || getDilations().size() != spatial || getPads().size() != 2 * spatial)
    return emitOpError("needs a stride, a dilation and two pads for each dim of the window");
  if (getScales() && (getKind() != PoolKind::Average || !x.getElementType().isInteger(8)))
    return emitOpError("scales are those of a mean of bytes");
  if (getKind() == PoolKind::Sum && isBlocked())
    return emitOpError("takes no sums on channel blocks");
  if (getRowPad() && (getKind() != PoolKind::Max || !isBlocked()))
    return emitOpError("row_pad is a maximum's on channel blocks");
  return success();
}

/// The init behind those that the epilogue writes.
template <class OpTy>
static Value scratchOf(OpTy op) {
  size_t outputs = op.getEpilogue().front().getTerminator()->getNumOperands();
  return op.getInits().size() > outputs ? op.getInits()[outputs] : Value();
}
Value ConvOp::getScratch() { return scratchOf(*this); }
Value MatmulOp::getScratch() { return scratchOf(*this); }

int64_t KernelAttr::number(StringRef param, int64_t absent) const {
  auto number = getParams().getAs<IntegerAttr>(param);
  return number ? number.getInt() : absent;
}
ArrayRef<int64_t> KernelAttr::numbers(StringRef param) const {
  auto numbers = getParams().getAs<DenseI64ArrayAttr>(param);
  return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
}
StringRef KernelAttr::text(StringRef param) const {
  auto text = getParams().getAs<StringAttr>(param);
  return text ? text.getValue() : StringRef();
}
std::optional<ArrayRef<int64_t>> KernelAttr::dimsOf(int64_t d) const {
  auto dims = getParams().getAs<ArrayAttr>("dims");
  return dims ? std::optional(mlir::cast<DenseI64ArrayAttr>(dims[d]).asArrayRef()) : std::nullopt;
}
KernelAttr KernelAttr::with(StringRef param, Attribute value) const {
  NamedAttrList params(getParams());
  params.set(param, value);
  return get(getContext(), getName(), params.getDictionary(getContext()));
}

LogicalResult MatmulOp::verify() {
  if (failed(verifyIntegers(*this, getLhs(), getRhs(), getSigns(), getLhsZero(), getRhsZero())))
    return failure();
  return verifyEpilogue(*this);
}

static ConstantIntRanges indexRange(int64_t min, int64_t max) {
  return ConstantIntRanges::fromSigned(APInt(64, min, true), APInt(64, max, true));
}

void DimOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  set(getResult(), indexRange(getMin(), getMax()));
}

void BoundOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  set(getResult(), indexRange(getMin(), getMax()));
}
