// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message's entries, and the bytes that they stand for.
#include "quantize/outside_weights.h"

#include "frontend/mapped_file.h"
#include "ir/element_type.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace sinter::quantize {

std::optional<uint64_t> OutsideWeights::sizeOf(const onnx::TensorProto &tensor) {
  if (tensor.data_type() <= 0 || tensor.data_type() > static_cast<int>(lastElementType))
    return std::nullopt;
  auto type = static_cast<ElementType>(tensor.data_type());
  uint64_t bits = type == ElementType::Bool ? 8 : bitWidth(type);
  for (int64_t dim : tensor.dims()) {
    auto product = checkedMulUnsigned(bits, static_cast<uint64_t>(dim));
    if (dim < 0 || !product)
      return std::nullopt;
    bits = *product;
  }
  return (bits + 7) / 8;
}

std::optional<StringRef> OutsideWeights::read(const onnx::TensorProto &tensor, Problem &problem) {
  ExternalPlace place;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      place.location = entry.value();
    else if (entry.key() == "offset")
      place.offset = parseUnsigned(entry.value()).value_or(0);
    else if (entry.key() == "checksum")
      place.checksum = entry.value();
  }
  ExternalData::File file;
  problem = {Code::ExternalDataInvalid, "external data of unknown size", {}, ""};
  std::optional<uint64_t> size = sizeOf(tensor);
  std::optional<StringRef> bytes = size ? external.read(place, *size, file, problem) : std::nullopt;
  if (!bytes)
    problem.message = "tensor '" + tensor.name() + "': " + problem.message;
  return bytes;
}

std::optional<StringRef> OutsideWeights::read(const onnx::TensorProto &tensor) {
  Problem unheard;
  return read(tensor, unheard);
}

bool OutsideWeights::embed(onnx::TensorProto &tensor, Diagnostics &diagnostics) {
  if (!has(tensor))
    return true;
  Problem problem;
  std::optional<StringRef> bytes = read(tensor, problem);
  if (!bytes) {
    diagnostics.report(std::move(problem));
    return false;
  }
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(bytes->data(), bytes->size());
  return true;
}

void OutsideWeights::release() const {
  for (const ExternalData::Opened &opened : external.opened())
    releasePages(*opened.file);
}

std::vector<std::string> OutsideWeights::paths() const {
  std::vector<std::string> all;
  for (const ExternalData::Opened &opened : external.opened())
    all.push_back(opened.path);
  return all;
}

} // namespace sinter::quantize
