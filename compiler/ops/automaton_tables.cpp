// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "automaton_tables.h"

using namespace mlir;

namespace sinter {

template <class T>
static Tensor tableTensor(const Op &op, ArrayRef<T> values, ArrayRef<int64_t> shape, ElementType element) {
  Type type = storageType(element, op.b.getContext());
  HostTensor host = HostTensor::fromBytes(type, shape, values.data());
  auto tensorType = RankedTensorType::get(shape, type);
  auto elements = cast<ElementsAttr>(toAttribute(host, tensorType));
  return {op.b.create<WeightOp>(op.loc, tensorType, elements, StringAttr()), element};
}

FailureOr<SmallVector<Tensor>> automatonTables(const Op &op, const Regex &regex) {
  constexpr size_t mostStates = 16384;
  std::optional<Automaton> automaton = automatonOf(regex, mostStates);
  if (!automaton)
    return op.unsupported("a regular expression that needs more than " + Twine(mostStates) + " states",
                          "repeat less often what may begin at many places");
  SmallVector<int16_t> narrow = llvm::to_vector_of<int16_t>(automaton->next);
  return SmallVector<Tensor>{
      tableTensor<uint8_t>(op, automaton->kindOf, {256}, ElementType::UInt8),
      tableTensor<int16_t>(op, narrow, {automaton->states(), automaton->kinds}, ElementType::Int16),
      tableTensor<uint8_t>(op, automaton->accepts, {automaton->states()}, ElementType::Bool)};
}

} // namespace sinter
