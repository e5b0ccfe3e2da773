// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes, from the caller's tensor to the model's: Transpose, then what makes numbers of numbers, on the fewest
// bytes first. Two steps go elsewhere where they can: another order of channels into the weights of the convolutions
// that read the input, and a normalization that a quantized net begins with into its own zero point, so that its first
// convolution reads the caller's bytes.
#include "interface_forms.h"

#include "form_nodes.h"
#include "node_match.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

SmallVector<int64_t> toChannelsLast(int64_t rank) {
  SmallVector<int64_t> order = {0};
  for (int64_t d = 2; d < rank; ++d)
    order.push_back(d);
  order.push_back(1);
  return order;
}
SmallVector<int64_t> toChannelsFirst(int64_t rank) {
  SmallVector<int64_t> order = {0, rank - 1};
  for (int64_t d = 1; d < rank - 1; ++d)
    order.push_back(d);
  return order;
}

/// How a tensor of the model comes to the caller's layout; nothing where it has it.
std::optional<SmallVector<int64_t>> orderFor(RankedTensorType type, Layout layout) {
  bool isLast = channelDim(type) != 1;
  if (layout == Layout::AsModel || isLast == (layout == Layout::ChannelsLast))
    return std::nullopt;
  return isLast ? toChannelsFirst(type.getRank()) : toChannelsLast(type.getRank());
}

SmallVector<int64_t> orderBack(ArrayRef<int64_t> order) {
  SmallVector<int64_t> back(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    back[static_cast<size_t>(dim)] = static_cast<int64_t>(i);
  return back;
}

/// The operands that hold the channels of constant filters, where a value is only read by convolutions of one group,
/// perhaps quantized in between with one scale: another order of the value's channels is another order of theirs.
bool filtersOf(Value value, SmallVectorImpl<OpOperand *> &filters) {
  for (OpOperand &use : value.getUses()) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node || use.getOperandNumber() != 0 || !node.getDomain().empty())
      return false;
    auto hasOneScale = [&] {
      auto scale = dyn_cast<RankedTensorType>(node.getInputs()[1].getType());
      return scale && scale.getRank() == 0;
    };
    if (llvm::is_contained({"QuantizeLinear", "DequantizeLinear"}, node.getOpType())) {
      if (!hasOneScale() || !filtersOf(node->getResult(0), filters))
        return false;
      continue;
    }
    if (node.getOpType() != "Conv" || integerAttribute(node, "group").value_or(1) != 1)
      return false;
    OpOperand *filter = &node.getInputsMutable()[1];
    if (NodeOp dequantize = producer(filter->get(), "DequantizeLinear")) {
      auto scale = dyn_cast<RankedTensorType>(dequantize.getInputs()[1].getType());
      bool isPerFilter = integerAttribute(dequantize, "axis").value_or(1) == 0;
      if (!scale || (scale.getRank() != 0 && !isPerFilter))
        return false;
      filter = &dequantize.getInputsMutable()[0];
    }
    if (!filter->get().getDefiningOp<WeightOp>())
      return false;
    filters.push_back(filter);
  }
  return true;
}

/// Reads the input with its channels in the other order: by permuted filters if `value` goes to nothing else.
bool permuteFilters(Value value, ArrayRef<int64_t> order) {
  SmallVector<OpOperand *> filters;
  if (value.use_empty() || !filtersOf(value, filters))
    return false;
  llvm::SmallPtrSet<OpOperand *, 4> done;
  for (OpOperand *filter : filters)
    if (done.insert(filter).second)
      filter->set(
          FormNodes(OpBuilder(filter->getOwner()), filter->getOwner()->getLoc()).gather(filter->get(), order, 1));
  return true;
}

bool isWhole(double number, double least, double most) {
  return number >= least && number <= most && std::nearbyint(number) == number;
}

/// The one number that all are; `otherwise` of none.
std::optional<double> commonNumber(ArrayRef<double> numbers, double otherwise) {
  if (numbers.empty())
    return otherwise;
  return llvm::all_equal(numbers) ? std::optional(numbers.front()) : std::nullopt;
}

/// scale * (byte - mean) is what DequantizeLinear makes; where the model quantizes that to the same steps again, the
/// two leave the bytes as they are.
void dropRequantization(Value bytes, Value reals, double scale, int64_t zero, ElementType type, FormNodes nodes) {
  for (OpOperand &use : llvm::make_early_inc_range(reals.getUses())) {
    auto quantize = dyn_cast<NodeOp>(use.getOwner());
    if (!quantize || quantize.getOpType() != "QuantizeLinear" || use.getOperandNumber() != 0 ||
        quantize.getInputs().size() < 3)
      continue;
    std::optional<double> step = splatNumber(quantize.getInputs()[1], quantize.getInputs()[0]);
    auto zeroWeight = quantize.getInputs()[2].getDefiningOp<WeightOp>();
    auto zeros = zeroWeight ? dyn_cast<DenseIntElementsAttr>(zeroWeight.getValue()) : DenseIntElementsAttr();
    if (!step || std::fabs(*step - scale) > 1e-6 * scale || !zeros || zeros.getNumElements() != 1)
      continue;
    ElementType to = elementTypeOf(zeros.getElementType());
    APInt number = zeros.getSplatValue<APInt>();
    int64_t theirs = isUnsignedInteger(to) ? static_cast<int64_t>(number.getZExtValue()) : number.getSExtValue();
    int64_t shift = type == to ? 0 : type == ElementType::UInt8 && to == ElementType::Int8 ? 128 : -128;
    bool isSame = (to == ElementType::UInt8 || to == ElementType::Int8) && zero - theirs == shift;
    bool isDequantized = llvm::all_of(quantize->getUsers(), [](Operation *user) {
      auto node = dyn_cast<NodeOp>(user);
      return node && node.getOpType() == "DequantizeLinear";
    });
    if (!isSame || !isDequantized)
      continue;
    for (Operation *user : llvm::make_early_inc_range(quantize->getUsers())) {
      auto dequantize = cast<NodeOp>(user);
      dequantize.getInputsMutable()[0].set(bytes);
      if (dequantize.getInputs().size() > 2)
        dequantize.getInputsMutable()[2].set(nodes.integers(zero, type, /*isScalar=*/true));
    }
    quantize->erase();
  }
}

std::string listOf(ArrayRef<double> numbers) {
  std::string text;
  for (double number : numbers)
    llvm::raw_string_ostream(text) << (text.empty() ? "" : ":") << llvm::format("%.9g", number);
  return text;
}

std::string formText(const InputForm &form) {
  SmallVector<std::string> parts;
  if (form.layout != Layout::AsModel)
    parts.push_back(form.layout == Layout::ChannelsLast ? "channels last" : "channels first");
  if (form.isReversed)
    parts.push_back("channels in the order blue, green, red");
  if (!form.mean.empty() || !form.scale.empty())
    parts.push_back("the model takes " +
                    std::string(form.mean.empty() ? "value" : "(value - " + listOf(form.mean) + ")") +
                    (form.scale.empty() ? "" : " * " + listOf(form.scale)));
  return llvm::join(parts, ", ");
}
} // namespace

int64_t channelDim(RankedTensorType type) {
  auto isFew = [&](int64_t dim) { return llvm::is_contained({1, 3, 4}, type.getDimSize(dim)); };
  int64_t last = type.getRank() - 1;
  return type.getRank() > 2 && isFew(last) && !isFew(1) ? last : 1;
}

std::optional<std::string> applyForm(func::FuncOp main, const InputForm &form) {
  Block &body = main.getBody().front();
  unsigned index = 0;
  while (main.getArgAttrOfType<StringAttr>(index, "sinter.name") != form.name)
    ++index;
  Value input = body.getArgument(index);
  auto declared = dyn_cast<RankedTensorType>(input.getType());
  if (!declared || !declared.getElementType().isF32())
    return "only inputs of float32 have another form";
  bool isPicture = form.layout != Layout::AsModel || form.isReversed || form.mean.size() > 1 || form.scale.size() > 1;
  if (isPicture && declared.getRank() < 3)
    return "it has " + std::to_string(declared.getRank()) + " dims, and no channels among them";
  int64_t rank = declared.getRank(), channelsAt = isPicture ? channelDim(declared) : 0,
          channels = isPicture ? declared.getDimSize(channelsAt) : 0;
  if (form.isReversed && channels != 3 && channels != 4)
    return "bgr needs 3 or 4 channels, the model has " + (channels < 0 ? "any number" : std::to_string(channels));
  for (const std::vector<double> *numbers : {&form.mean, &form.scale})
    if (numbers->size() > 1 && static_cast<int64_t>(numbers->size()) != channels)
      return std::to_string(numbers->size()) + " numbers are given for " +
             (channels < 0 ? "any number of" : std::to_string(channels)) + " channels";

  std::vector<double> mean = form.mean, scale = form.scale;
  std::optional<SmallVector<int64_t>> order = orderFor(declared, form.layout);
  SmallVector<int64_t> reversed = {2, 1, 0};
  if (channels == 4)
    reversed.push_back(3);
  bool inFilters = form.isReversed && channelsAt == 1 && permuteFilters(input, reversed);
  if (inFilters) // what is normalized is in the caller's order now
    for (std::vector<double> *numbers : {&mean, &scale})
      if (numbers->size() > 1)
        std::swap((*numbers)[0], (*numbers)[2]);

  OpBuilder builder(&body, body.begin());
  FormNodes nodes(builder, input.getLoc());
  ElementType type = form.type == ElementType::Undefined ? ElementType::Float : form.type;
  SmallVector<Operation *> readers(input.getUsers());
  SmallVector<int64_t> shape(declared.getShape());
  if (order) {
    for (auto [d, from] : llvm::enumerate(*order))
      shape[d] = declared.getDimSize(from);
    if (auto names = main.getArgAttrOfType<ArrayAttr>(index, "sinter.dims")) {
      SmallVector<Attribute> moved;
      for (int64_t from : *order)
        moved.push_back(names[static_cast<size_t>(from)]);
      main.setArgAttr(index, "sinter.dims", builder.getArrayAttr(moved));
    }
  }
  input.setType(RankedTensorType::get(shape, nodeType(type, builder.getContext())));

  Value value = order ? nodes.transpose(input, orderBack(*order)) : input;
  if (form.isReversed && !inFilters)
    value = nodes.gather(value, reversed, channelsAt);
  std::optional<double> oneMean = commonNumber(mean, 0), oneScale = commonNumber(scale, 1);
  bool isByte = type == ElementType::UInt8 || type == ElementType::Int8;
  double least = type == ElementType::Int8 ? -128 : 0, most = type == ElementType::Int8 ? 127 : 255;
  Value bytes = value;
  bool isQuantized = isByte && oneMean && oneScale && *oneScale > 0 && isWhole(*oneMean, least, most);
  if (isQuantized) {
    value = nodes.node(
        "DequantizeLinear", 13,
        {value, nodes.floats(*oneScale), nodes.integers(static_cast<int64_t>(*oneMean), type, /*isScalar=*/true)},
        declared, nodes.number("axis", 1));
  } else {
    if (type != ElementType::Float)
      value = nodes.node("Cast", 13, value, declared, nodes.number("to", static_cast<int>(ElementType::Float)));
    if (!mean.empty())
      value = nodes.node("Sub", 14, {value, nodes.floats(mean, channelsAt, rank)}, declared);
    if (!scale.empty())
      value = nodes.node("Mul", 14, {value, nodes.floats(scale, channelsAt, rank)}, declared);
  }
  for (Operation *reader : readers)
    if (value.getDefiningOp() != reader)
      reader->replaceUsesOfWith(input, value);
  if (isQuantized)
    dropRequantization(bytes, value, *oneScale, static_cast<int64_t>(*oneMean), type, nodes);
  main.setArgAttr(index, "sinter.form", builder.getStringAttr(formText(form)));
  main.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), main.getFunctionType().getResults()));
  return std::nullopt;
}

std::optional<std::string> applyForm(func::FuncOp main, const OutputForm &form) {
  Block &body = main.getBody().front();
  Operation *end = body.getTerminator();
  unsigned index = 0;
  while (main.getResultAttrOfType<StringAttr>(index, "sinter.name") != form.name)
    ++index;
  auto stated = dyn_cast_or_null<TypeAttr>(main.getResultAttr(index, "sinter.type"));
  auto declared = stated ? dyn_cast<RankedTensorType>(stated.getValue()) : RankedTensorType();
  if (!declared || !declared.getElementType().isF32())
    return "only outputs whose rank is known and that are float32 have another form";
  Value value = end->getOperand(index);
  OpBuilder builder(end);
  FormNodes nodes(builder, value.getLoc());
  auto any = AnyType::get(builder.getContext());
  int64_t rank = declared.getRank();
  std::string text;
  if (form.kind != OutputForm::Kind::Values) {
    if (rank == 0)
      return "it is one number";
    // Pictures have classes in their channels, other tensors in their last dim.
    int64_t axis = rank > 3 ? channelDim(declared) : rank - 1;
    std::string where = "dim " + std::to_string(axis) + " of " + form.name;
    if (form.kind == OutputForm::Kind::ArgMax) {
      value =
          nodes.node("ArgMax", 13, value, any,
                     {nodes.number("axis", axis), nodes.number("keepdims", 0), nodes.number("select_last_index", 0)});
      text = "the index of the largest along " + where;
    } else {
      if (declared.getDimSize(axis) >= 0 && form.count > declared.getDimSize(axis))
        return "topk:" + std::to_string(form.count) + " is more than the " + std::to_string(declared.getDimSize(axis)) +
               " that there are";
      value = nodes.node("TopK", 11, {value, nodes.integers(form.count, ElementType::Int64)}, {any, any},
                         {nodes.number("axis", axis), nodes.number("largest", 1), nodes.number("sorted", 1)});
      text = "the " + std::to_string(form.count) + " largest along " + where + ", in descending order";
      end->insertOperands(end->getNumOperands(), value.getDefiningOp()->getResult(1));
      main.insertResult(main.getNumResults(), any, builder.getDictionaryAttr({}));
      unsigned last = main.getNumResults() - 1;
      main.setResultAttr(last, "sinter.name", builder.getStringAttr(form.name + "_indices"));
      main.setResultAttr(last, "sinter.form", builder.getStringAttr("where they were"));
    }
  }
  if (form.isBytes) {
    if (form.scale != 1)
      value = nodes.node("Mul", 14, {value, nodes.floats(form.scale)}, any);
    value = nodes.node("Round", 11, value, any);
    value = nodes.node("Clip", 13, {value, nodes.floats(0.0), nodes.floats(255.0)}, any);
    value = nodes.node("Cast", 13, value, any, nodes.number("to", static_cast<int>(ElementType::UInt8)));
    text = (form.scale != 1 ? "value * " + listOf(form.scale) : std::string("value")) + ", rounded, within 0 .. 255";
  }
  if (form.layout != Layout::AsModel) {
    if (rank < 3)
      return "it has " + std::to_string(rank) + " dims, and no channels among them";
    if (std::optional<SmallVector<int64_t>> order = orderFor(declared, form.layout))
      value = nodes.transpose(value, *order);
    text += (text.empty() ? "" : ", ") +
            std::string(form.layout == Layout::ChannelsLast ? "channels last" : "channels first");
  }
  end->setOperand(index, value);
  main.removeResultAttr(index, builder.getStringAttr("sinter.type"));
  main.removeResultAttr(index, builder.getStringAttr("sinter.dims"));
  main.setResultAttr(index, "sinter.form", builder.getStringAttr(text));
  main.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), llvm::to_vector(end->getOperandTypes())));
  return std::nullopt;
}

} // namespace sinter
