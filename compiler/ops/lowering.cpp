// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an operator's file sees of its node: operands, contents, results. Attributes: attributes.cpp.
#include "lowering.h"

#include "conversion.h"
#include "ir/value_names.h"
#include "missing_bounds.h"
#include "runtime_sizes.h"
#include "size_relation.h"

using namespace mlir;

namespace sinter {

Op::Op(Conversion &conversion, NodeOp node, OpBuilder &builder)
    : Tensors{builder, node.getLoc()}, node(node), since(node.getSince()), conversion(conversion) {}

bool Op::has(unsigned i) const {
  if (i >= inputCount())
    return false;
  const Converted *found = conversion.find(node.getInputs()[i]);
  return found && !found->isAbsent;
}

Tensor Op::input(unsigned i) const { return conversion.find(node.getInputs()[i])->tensor; }

const Dequantized *Op::dequantized(unsigned i) const {
  const Converted *found = i < inputCount() ? conversion.find(node.getInputs()[i]) : nullptr;
  return found && found->dequantized ? &*found->dequantized : nullptr;
}

SmallVector<Tensor> Op::inputs() const {
  SmallVector<Tensor> all;
  for (unsigned i = 0; i < inputCount(); ++i)
    if (has(i))
      all.push_back(input(i));
  return all;
}

bool Op::wants(unsigned i) const { return i < outputCount() && !node.getResult(i).use_empty(); }

std::optional<HostTensor> Op::contents(unsigned i) const { return contentsOf(input(i), conversion.evaluations); }

/// Lists that sizes, axes and the like are read from; a few bytes of model can name billions of elements.
static constexpr int64_t mostListed = int64_t(1) << 20;

std::optional<SmallVector<int64_t>> Op::constantIntegers(unsigned i) const {
  std::optional<HostTensor> host = contents(i);
  if (!host || host->size() > mostListed)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (int64_t k = 0; k < host->size(); ++k)
    values.push_back(host->integerAt(k));
  return values;
}

std::optional<SmallVector<double>> Op::constantReals(unsigned i) const {
  std::optional<HostTensor> host = contents(i);
  if (!host || host->size() > mostListed)
    return std::nullopt;
  SmallVector<double> values;
  for (int64_t k = 0; k < host->size(); ++k)
    values.push_back(host->numberAt(k));
  return values;
}

FailureOr<SmallVector<Value>> Op::scalars(unsigned i, StringRef what) const {
  Tensor x = input(i);
  if (x.rank() > 1 || !x.type().hasStaticShape())
    return fail(Code::ShapeNotConstant, "the length of '" + Twine(what) + "' is not known at compile time",
                "give the dim that it depends on: --dim NAME=N");
  int64_t count = x.rank() ? x.shape()[0] : 1;
  constexpr int64_t mostComputed = 4096; // each is arithmetic of its own
  if (count > mostComputed)
    return fail(Code::TooManyElements, "'" + Twine(what) + "' has " + Twine(count) +
                                           " elements; as a list of sizes or axes it may have " + Twine(mostComputed));
  SmallVector<Value> result;
  for (int64_t k = 0; k < count; ++k)
    result.push_back(
        elementOf(b, loc, x.value, x.rank() ? ArrayRef<int64_t>(k) : ArrayRef<int64_t>(), conversion.evaluations));
  return result;
}

FailureOr<Sizes> Op::elements(unsigned i, StringRef what) const {
  if (std::optional<SmallVector<int64_t>> values = constantIntegers(i))
    return sizesOf(b, *values);
  FailureOr<SmallVector<Value>> values = scalars(i, what);
  if (failed(values))
    return failure();
  Sizes result;
  for (Value element : *values) {
    Size size = isUnsignedInteger(input(i).element)
                    ? getAsOpFoldResult(b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), element))
                    : sizeOfInteger(b, loc, element);
    // What is read from data lies within what made the data (Clip, Min): that is a bound like a stated one, unless no
    // size is as large.
    constexpr int64_t plausible = int64_t(1) << 20;
    if (!rangeOf(size))
      if (auto range = rangeOfData(size); range && range->second <= plausible)
        size = b.create<BoundOp>(loc, b.getIndexType(), toValue(b, loc, size), range->first, range->second).getResult();
    result.push_back(size);
  }
  return result;
}

FailureOr<int64_t> Op::axis(int64_t value, int64_t rank) const {
  int64_t result = value < 0 ? value + rank : value;
  if (result < 0 || result >= rank)
    return fail(Code::ShapeMismatch, "axis " + Twine(value) + " is outside a tensor of rank " + Twine(rank));
  return result;
}

FailureOr<SmallVector<int64_t>> Op::axes(ArrayRef<int64_t> values, int64_t rank) const {
  SmallVector<int64_t> result;
  for (int64_t value : values) {
    FailureOr<int64_t> one = axis(value, rank);
    if (failed(one))
      return failure();
    if (llvm::is_contained(result, *one))
      return fail(Code::ShapeMismatch, "axis " + Twine(value) + " is given twice");
    result.push_back(*one);
  }
  return result;
}

LogicalResult Op::results(ArrayRef<Tensor> values) const {
  unsigned output = 0;
  for (auto [value, tensor] : llvm::zip(node.getOutputs(), values)) {
    if (tensor) {
      Tensor held = conversion.bounds.empty() ? tensor : heldToStatedBound(*this, tensor, output);
      nameValue(held.value, node, output, conversion.valueCount++);
      conversion.bind(value, {held, {}, false, false});
    }
    ++output;
  }
  return success();
}

void Op::noteDequantized(unsigned i, const std::optional<Dequantized> &source) const {
  Converted converted = *conversion.find(node.getResult(i));
  converted.dequantized = source;
  conversion.bind(node.getResult(i), converted);
}

LogicalResult Op::fail(Code code, const Twine &message, const Twine &hint) const {
  if (code == Code::ShapeMismatch && lacksBound(conversion.diagnostics))
    return failure(); // the bound that is assumed may be to blame
  conversion.diagnostics.report({code, message.str(), placeOf(node), hint.str()});
  return failure();
}

LogicalResult Op::checkBroadcast(ArrayRef<Tensor> operands) const {
  std::string shapes;
  llvm::raw_string_ostream text(shapes);
  llvm::interleaveComma(operands, text, [&](Tensor x) {
    text << "[";
    llvm::interleave(x.shape(), text, [&](int64_t d) { ShapedType::isDynamic(d) ? text << "?" : text << d; }, "x");
    text << "]";
  });
  std::string problem = "shapes " + shapes + " do not broadcast";
  int64_t rank = 0;
  for (Tensor x : operands)
    rank = std::max(rank, x.rank());
  for (int64_t d = 1; d <= rank; ++d) {
    // Operands may be many, sizes that differ are few.
    Sizes sizes;
    DenseSet<void *> seen;
    for (Tensor x : operands)
      if (d <= x.rank())
        if (Size each = size(x, x.rank() - d); seen.insert(each.getOpaqueValue()).second)
          sizes.push_back(each);
    for (size_t i = 1; i < sizes.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (failed(mustBroadcast(*this, sizes[i], sizes[j], problem)))
          return failure();
  }
  return success();
}

LogicalResult Op::resultElementwise(ArrayRef<Tensor> operands, ElementType out, BodyFn body) const {
  return failed(checkBroadcast(operands)) ? failure() : result(elementwise(operands, out, body));
}

LogicalResult Op::resultElementwiseRaw(ArrayRef<Tensor> operands, ElementType out, BodyFn body) const {
  return failed(checkBroadcast(operands)) ? failure() : result(elementwiseRaw(operands, out, body));
}

LogicalResult Op::resultUnary(llvm::function_ref<Value(const Scalars &, Value)> body) const {
  return result(
      elementwise({input(0)}, input(0).element, [&](const Scalars &s, ValueRange v) { return body(s, v[0]); }));
}

LogicalResult Op::resultBinary(llvm::function_ref<Value(const Scalars &, Value, Value)> body) const {
  return resultElementwise({input(0), input(1)}, input(0).element,
                           [&](const Scalars &s, ValueRange v) { return body(s, v[0], v[1]); });
}

SmallVector<Tensor> Op::kernel(StringRef name, ArrayRef<Tensor> operands, ArrayRef<KernelOutput> outputs,
                               ArrayRef<NamedAttribute> params) const {
  SmallVector<Value> ins, inits;
  std::string signedness;
  auto note = [&](ElementType type) { signedness += isUnsignedInteger(type) ? 'u' : 's'; };
  for (Tensor x : operands) {
    ins.push_back(x.value);
    note(x.element);
  }
  for (const KernelOutput &output : outputs) {
    inits.push_back(empty(output.sizes, output.element).value);
    note(output.element);
  }
  auto op =
      b.create<KernelOp>(loc, ValueRange(inits).getTypes(), name, ins, inits, b.getDictionaryAttr(params), signedness);
  SmallVector<Tensor> made;
  for (auto [value, output] : llvm::zip(op.getResults(), outputs))
    made.push_back({value, output.element});
  return made;
}

FailureOr<SmallVector<Tensor>> Op::call(StringRef opType, int64_t version, ArrayRef<Tensor> operands,
                                        ArrayRef<NamedAttribute> attributes, unsigned outputs, StringRef domain) const {
  // A node beside this one for as long as its lowering takes; stand-ins for its operands and a user for each result.
  OpBuilder nodes(node);
  SmallVector<Value> standIns;
  for (Tensor x : operands) {
    standIns.push_back(nodes.create<AbsentOp>(loc));
    conversion.bind(standIns.back(), {x, {}, false, !x});
  }
  SmallVector<Type> types(outputs, AnyType::get(b.getContext()));
  auto called = nodes.create<NodeOp>(loc, types, opType, standIns, domain, version, b.getDictionaryAttr(attributes),
                                     nullptr, nullptr, 0);
  auto user = nodes.create<UnrealizedConversionCastOp>(loc, TypeRange(), called.getOutputs());
  LogicalResult done = conversion.convertNode(called, b);
  SmallVector<Tensor> made;
  if (succeeded(done))
    for (Value output : called.getOutputs()) {
      const Converted *found = conversion.find(output);
      made.push_back(found ? found->tensor : Tensor());
    }
  user->erase();
  for (Value output : called.getOutputs())
    conversion.forget(output);
  called->erase();
  for (Value standIn : standIns) {
    conversion.forget(standIn);
    standIn.getDefiningOp()->erase();
  }
  return failed(done) ? FailureOr<SmallVector<Tensor>>(failure()) : FailureOr<SmallVector<Tensor>>(made);
}

} // namespace sinter
