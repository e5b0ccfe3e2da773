// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SparseTensorProto -> dense elements. ONNX has them as initializers and Constant values only; nothing behind the
// importer is sparse.
#include "frontend/tensor_data.h"

#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {
int64_t indexAt(StringRef bytes, uint64_t index) {
  return static_cast<int64_t>(support::endian::read64le(bytes.data() + 8 * index));
}

/// The linear index that entry `entry` of `indices` names; none if it is outside `dims`.
std::optional<uint64_t> linearIndex(StringRef indices, uint64_t entry, bool coordinates, ArrayRef<int64_t> dims,
                                    uint64_t elements) {
  if (!coordinates) {
    int64_t index = indexAt(indices, entry);
    return index >= 0 && static_cast<uint64_t>(index) < elements ? std::optional<uint64_t>(index) : std::nullopt;
  }
  uint64_t linear = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    int64_t index = indexAt(indices, entry * dims.size() + axis);
    if (index < 0 || index >= dims[axis])
      return std::nullopt;
    linear = linear * static_cast<uint64_t>(dims[axis]) + static_cast<uint64_t>(index);
  }
  return linear;
}
} // namespace

ElementsAttr readSparseTensor(ImportState &state, const onnx::SparseTensorProto &tensor, const Twine &twine,
                              const ModelPlace &place) {
  std::string what = twine.str();
  auto fail = [&](const Twine &message) -> ElementsAttr {
    state.report(Code::InvalidSparseTensor, what + " " + message, place);
    return {};
  };
  ElementType element = elementTypeOfCode(tensor.values().data_type());
  SmallVector<int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  auto elements = checkedElements(state, dims, what, place);
  if (!elements)
    return {};
  if (element == ElementType::Undefined || element == ElementType::String ||
      (element != ElementType::Bool && bitWidth(element) % 8))
    return fail("has values of a type that sparse tensors do not come in");
  uint64_t bytes = bytesOf(element, *elements);
  const Limits &limits = state.options.limits;
  if (bytes > limits.expandedBytes || bytes > limits.expandedBytesTotal - state.expandedBytes) {
    state.report(Code::TooManyElements,
                 what + " takes " + Twine(bytes) + " bytes when dense; the limits are " + Twine(limits.expandedBytes) +
                     " and " + Twine(limits.expandedBytesTotal) + " in all",
                 place);
    return {};
  }
  state.expandedBytes += bytes;
  const auto &valueDims = tensor.values().dims();
  const auto &indexDims = tensor.indices().dims();
  uint64_t count = valueDims.size() == 1 && valueDims[0] >= 0 ? static_cast<uint64_t>(valueDims[0]) : *elements + 1;
  bool coordinates = indexDims.size() == 2;
  if (count > *elements || tensor.indices().data_type() != static_cast<int>(ElementType::Int64) || indexDims.empty() ||
      indexDims.size() > 2 || static_cast<uint64_t>(indexDims[0]) != count ||
      (coordinates && indexDims[1] != static_cast<int64_t>(dims.size())))
    return fail("has values and indices that do not fit together");
  auto values = readTensorBytes(state, tensor.values(), element, count, what + " (values)", place);
  auto indices = readTensorBytes(state, tensor.indices(), ElementType::Int64, count * (coordinates ? dims.size() : 1),
                                 what + " (indices)", place);
  if (!values || !indices)
    return {};

  auto expanded = std::make_shared<std::string>(bytes, '\0');
  uint64_t width = bytesOf(element, 1);
  std::optional<uint64_t> previous;
  for (uint64_t entry = 0; entry < count; ++entry) {
    auto index = linearIndex(indices->bytes, entry, coordinates, dims, *elements);
    if (!index)
      return fail("has an index outside its dims");
    if (previous && *index <= *previous)
      return fail("has indices that do not ascend");
    previous = index;
    std::memcpy(expanded->data() + *index * width, values->bytes.data() + entry * width, width);
  }
  auto type = RankedTensorType::get(dims, nodeType(element, state.context));
  return makeElements(type, element, {StringRef(*expanded), expanded, {}}, tensor.values().name());
}

} // namespace sinter
