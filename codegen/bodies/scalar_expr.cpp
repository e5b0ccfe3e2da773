// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookup in the lists, placeholders filled in, results in narrow floats rounded.
#include "scalar_expr.h"

#include "codegen/text/element_text.h"
#include "dialect.h"
#include "ir/float_range.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sinter {
namespace {

struct Entry {
  std::string expression;
  StringRef header;
};

std::string callOf(StringRef function, int operands) {
  static constexpr StringRef placeholders = "$0, $1, $2";
  return (function + "(" + placeholders.take_front(4 * operands - 2) + ")").str();
}

const llvm::StringMap<Entry> &operations() {
  static const llvm::StringMap<Entry> map = [] {
    llvm::StringMap<Entry> all;
#define SINTER_SCALAR_FUNCTION(function, operands, family, applied, math, header)                                      \
  if (*applied)                                                                                                        \
    all[std::string("sinter.apply ") + applied] = {callOf(#function, operands), header};                               \
  if (*math)                                                                                                           \
    all[math] = {callOf(#function, operands), header};
#include "ir/scalar_functions.def"
#undef SINTER_SCALAR_FUNCTION
#define SINTER_SCALAR_OP(key, expression, header) all[key] = {expression, header};
#include "scalar_ops.def"
#undef SINTER_SCALAR_OP
    return all;
  }();
  return map;
}

char classOf(Type type) { return type.isInteger(1) ? 'b' : type.isIntOrIndex() ? 'i' : 'f'; }

/// Which operand of a max or min is a constant that is a number, so that only the other one may be NaN.
StringRef numberedBound(Operation *op) {
  auto isNumber = [](Value operand) {
    APFloat constant(0.0f);
    return matchPattern(operand, m_ConstantFloat(&constant)) && !constant.isNaN();
  };
  return isNumber(op->getOperand(1)) ? " of $0" : isNumber(op->getOperand(0)) ? " of $1" : "";
}

/// Whether a bounded value goes on to conversions to integers alone: what becomes of NaN is free, and is the lower
/// bound on x86, as in onnxruntime's quantizations (0 / 0 where a divisor is zero).
bool becomesInteger(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<arith::FPToSIOp, arith::FPToUIOp>(user) || (isa<arith::MinimumFOp>(user) && becomesInteger(user));
  });
}

const Entry *findEntry(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return nullptr;
  auto lookup = [](const Twine &key) -> const Entry * {
    auto it = operations().find(key.str());
    return it == operations().end() ? nullptr : &it->second;
  };
  if (auto apply = dyn_cast<ApplyOp>(op))
    return lookup("sinter.apply " + apply.getFunction());
  // Values of quantized arithmetic have shorter forms.
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op) && op->getResult(0).getType().isF32() &&
      llvm::all_of(op->getOperands(), [](Value operand) { return isNeverNan(operand); }))
    return lookup(isa<arith::MaximumFOp>(op) ? "never NaN: max" : "never NaN: min");
  if (isa<arith::MaximumFOp>(op) && becomesInteger(op))
    if (const Entry *entry = lookup("to an integer: max" + numberedBound(op)))
      return entry;
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    if (const Entry *entry = lookup(op->getName().getStringRef() + numberedBound(op)))
      return entry;
  if (isa<arith::FPToSIOp>(op) && op->getOperand(0).getType().isF32() && isBounded(op->getOperand(0)))
    return lookup("bounded: fptosi");
  std::string key = op->getName().getStringRef().str();
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    key += " " + arith::stringifyCmpFPredicate(compare.getPredicate()).str();
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    key += " " + arith::stringifyCmpIPredicate(compare.getPredicate()).str();
  Type classified = isa<arith::SelectOp>(op) ? op->getResult(0).getType() : op->getOperand(0).getType();
  if (const Entry *entry = lookup(key + ">" + Twine(classOf(op->getResult(0).getType()))))
    return entry;
  if (const Entry *entry = lookup(key + ":" + Twine(classOf(classified))))
    return entry;
  return lookup(key);
}

bool isPlainType(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether a wider float is a number of the narrow type already: widened from it, or one of two such, so that there is
/// nothing to round.
bool isNumberOf(Type narrow, Value wide) {
  if (FloatAttr constant; matchPattern(wide, m_Constant(&constant))) {
    APFloat number = constant.getValue();
    bool losesInfo = true;
    number.convert(cast<FloatType>(narrow).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return !losesInfo;
  }
  Operation *op = wide.getDefiningOp();
  if (auto widened = dyn_cast_or_null<arith::ExtFOp>(op))
    return widened.getIn().getType() == narrow;
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isNumberOf(narrow, operand); });
}

} // namespace

bool isScalarOp(Operation *op) {
  return findEntry(op) && llvm::all_of(op->getOperandTypes(), isPlainType) && isPlainType(op->getResult(0).getType());
}

std::optional<ScalarText> scalarText(Operation *op, ArrayRef<PrintedCode> operands, const PrintedCode &resultType) {
  const Entry *entry = findEntry(op);
  if (!entry)
    return std::nullopt;
  PrintedCode text;
  StringRef rest = entry->expression;
  while (!rest.empty()) {
    size_t dollar = rest.find('$');
    text.append(PrintedCode::trusted(rest.take_front(dollar)));
    if (dollar == StringRef::npos)
      break;
    char which = rest[dollar + 1];
    rest = rest.drop_front(dollar + 2);
    if (which == 'R')
      text.append(resultType);
    else if (const PrintedCode &operand = operands[which - '0']; operand.text().starts_with("-"))
      text.append("(", operand, ")");
    else
      text.append(operand);
  }
  SmallVector<StringRef, 2> headers;
  if (!entry->header.empty())
    headers.push_back(entry->header);
  Type type = op->getResult(0).getType();
  bool isExact = isa<arith::SelectOp>(op) || (isa<arith::TruncFOp>(op) && isNumberOf(type, op->getOperand(0)));
  if (isHeldAsFloat(type) && !isExact) {
    text = PrintedCode("roundTo<", memoryText(type), ">(", text, ")");
    headers.push_back("runtime-lite/bits.h");
  }
  return ScalarText{text, headers};
}

PrintedCode constantText(Attribute value, Type type) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat exact = number.getValue();
    bool losesInfo;
    exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return PrintedCode::number(exact.convertToDouble(), !type.isF64());
  }
  if (auto pair = dyn_cast<ArrayAttr>(value)) { // complex
    Type part = cast<ComplexType>(type).getElementType();
    return PrintedCode(memoryText(type), "{", constantText(pair[0], part), ", ", constantText(pair[1], part), "}");
  }
  auto integer = cast<IntegerAttr>(value);
  if (type.isInteger(1))
    return integer.getValue().isZero() ? PrintedCode("false") : PrintedCode("true");
  int64_t exact = integer.getValue().getSExtValue();
  return PrintedCode(valueText(type), "(",
                     PrintedCode::integer(exact, type.isIndex() ? 64 : type.getIntOrFloatBitWidth()), ")");
}

} // namespace sinter
