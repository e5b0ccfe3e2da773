// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graph inputs that are no tensors: sequences of tensors, maps, and optionals. ONNX says neither how long a sequence or
// a map may be nor, often, of which shapes a sequence's elements are; --dim does, by place: "x:count", "x:0",
// "x:present". Each element has sizes of its own within these ranges, also where the model gives them a name.
#include "frontend/value_type.h"

#include "ir/dialect.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {

/// The ranks and sizes of elements that the model states, if it does.
const onnx::TensorShapeProto *shapeOfElements(const onnx::TypeProto &sequence) {
  const onnx::TypeProto &element = sequence.sequence_type().elem_type();
  return element.has_tensor_type() && element.tensor_type().has_shape() ? &element.tensor_type().shape() : nullptr;
}

/// Whether a value has as many elements as a call says.
bool hasCount(const onnx::TypeProto &held) { return held.has_sequence_type() || held.has_map_type(); }

class StructureReader {
public:
  StructureReader(ImportState &state, const onnx::ValueInfoProto &input) : state(state), input(input) {}

  InputType read() {
    InputType result;
    const onnx::TypeProto &held = heldType(input.type());
    NamedAttrList extents;
    Builder builder(state.context);
    auto set = [&](StringRef name, DimValue range) {
      extents.set(name, builder.getDenseI64ArrayAttr({range.min, range.max}));
    };
    DimValue present{1, 1};
    if (input.type().has_optional_type()) {
      present = {0, 1};
      if (auto stated = given("present"))
        present = {std::min<int64_t>(stated->min, 1), std::min<int64_t>(stated->max, 1)};
      set("present", present);
    }
    result.value = readType(state, input.type(), "input " + quoted(input.name()), {});
    if (held.has_tensor_type() && present.max > 0) {
      InputType tensor = readTensorInput(state, input, held);
      result.names = tensor.names;
      if (tensor.value.type)
        result.value.type = OptionalType::get(state.context, tensor.value.type);
    }
    if (hasCount(held)) {
      DimValue count = present.max > 0 ? needed("count", input.name() + ":count") : DimValue{0, 0};
      set("count", count);
      if (count.max > 0 && held.has_sequence_type())
        extents.set("dims", dims(held, builder));
    }
    result.extents = extents.getDictionary(state.context);
    return result;
  }

private:
  std::optional<DimValue> given(const Twine &what) const {
    auto value = state.options.dims.find((input.name() + ":" + what).str());
    return value == state.options.dims.end() ? std::nullopt : std::optional(value->second);
  }

  /// The value of a place, or of all that none is given for (*); reported where there is neither.
  DimValue needed(const Twine &what, const std::string &place) {
    if (auto value = given(what))
      return *value;
    auto rest = state.options.dims.find("*");
    if (rest != state.options.dims.end())
      return rest->second;
    state.valuelessDims.push_back(place);
    bool isCount = place == input.name() + ":count";
    state.report(Code::DimWithoutValue,
                 "input " + quoted(input.name()) +
                     (!isCount ? " is a sequence whose elements have sizes without a bound"
                      : heldType(input.type()).has_map_type() ? " is a map whose length has no bound"
                                                              : " is a sequence whose length has no bound"),
                 {}, hintForMissing(state, place));
    return {0, 0};
  }

  ArrayAttr dims(const onnx::TypeProto &sequence, Builder &builder) {
    SmallVector<Attribute> all;
    auto add = [&](DimValue range) { all.push_back(builder.getDenseI64ArrayAttr({range.min, range.max})); };
    // By place, the user states ranks too: what the model says of elements is often what one of them was.
    const onnx::TensorShapeProto *shape = shapeOfElements(sequence);
    size_t stated = shape ? static_cast<size_t>(shape->dim_size()) : 0, rank = stated;
    while (rank < state.options.limits.rank && given(Twine(rank)))
      ++rank;
    if (std::optional<DimValue> asked = given("rank"))
      rank = std::min<size_t>(static_cast<size_t>(asked->max), state.options.limits.rank);
    else if (!shape && rank == 0)
      rank = 1; // whose size is missing
    for (size_t axis = 0; axis < rank; ++axis) {
      onnx::TensorShapeProto::Dimension dim;
      if (axis < stated)
        dim = shape->dim(static_cast<int>(axis));
      auto symbol = state.options.dims.find(dim.dim_param());
      if (std::optional<DimValue> place = given(Twine(axis)))
        add(*place);
      else if (dim.has_dim_value() && dim.dim_value() >= 0)
        add({dim.dim_value(), dim.dim_value()});
      else if (!dim.dim_param().empty() && symbol != state.options.dims.end())
        add(symbol->second);
      else
        add(needed(Twine(axis), placeName(input.name(), axis)));
    }
    return builder.getArrayAttr(all);
  }

  ImportState &state;
  const onnx::ValueInfoProto &input;
};
} // namespace

SmallVector<std::string> placesOf(const ImportState &state, const onnx::ValueInfoProto &input) {
  SmallVector<std::string> places;
  if (input.type().has_optional_type())
    places.push_back(input.name() + ":present");
  const onnx::TypeProto &held = heldType(input.type());
  if (hasCount(held))
    places.push_back(input.name() + ":count");
  if (!held.has_sequence_type())
    return places;
  places.push_back(input.name() + ":rank");
  const onnx::TensorShapeProto *shape = shapeOfElements(held);
  for (size_t axis = 0; axis < state.options.limits.rank; ++axis)
    places.push_back(placeName(input.name(), axis));
  if (shape)
    for (const auto &dim : shape->dim())
      if (!dim.dim_param().empty())
        places.push_back(dim.dim_param());
  return places;
}

InputType readStructure(ImportState &state, const onnx::ValueInfoProto &input) {
  return StructureReader(state, input).read();
}

} // namespace sinter
