// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of TensorProtos.
#include "quantize/tensors.h"

#include <cstring>
#include <numeric>

using namespace llvm;

namespace sinter::quantize {
namespace {
template <class T>
std::vector<T> fromRaw(StringRef raw) {
  std::vector<T> values(raw.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), raw.data(), values.size() * sizeof(T));
  return values;
}

bool isElsewhere(const onnx::TensorProto &tensor) { return tensor.data_location() == onnx::TensorProto::EXTERNAL; }
} // namespace

int64_t elementsOf(ArrayRef<int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1), std::multiplies<>());
}

Axis axisOf(ArrayRef<int64_t> dims, int64_t axis) {
  auto at = static_cast<size_t>(axis);
  return {elementsOf(dims.take_front(at)), dims[at], elementsOf(dims.drop_front(at + 1))};
}

std::optional<FloatTensor> floatsOf(const onnx::TensorProto &tensor) {
  if (tensor.data_type() != onnx::TensorProto::FLOAT || isElsewhere(tensor))
    return std::nullopt;
  FloatTensor result;
  result.dims.assign(tensor.dims().begin(), tensor.dims().end());
  result.values = tensor.has_raw_data() ? fromRaw<float>(tensor.raw_data())
                                        : std::vector<float>(tensor.float_data().begin(), tensor.float_data().end());
  if (static_cast<int64_t>(result.values.size()) != elementsOf(result.dims))
    return std::nullopt;
  return result;
}

std::vector<float> floatsIn(StringRef raw) { return fromRaw<float>(raw); }

std::optional<std::vector<int64_t>> integersOf(const onnx::TensorProto &tensor) {
  if (isElsewhere(tensor))
    return std::nullopt;
  if (tensor.data_type() == onnx::TensorProto::INT64)
    return tensor.has_raw_data() ? fromRaw<int64_t>(tensor.raw_data())
                                 : std::vector<int64_t>(tensor.int64_data().begin(), tensor.int64_data().end());
  if (tensor.data_type() != onnx::TensorProto::INT32)
    return std::nullopt;
  std::vector<int32_t> narrow = tensor.has_raw_data()
                                    ? fromRaw<int32_t>(tensor.raw_data())
                                    : std::vector<int32_t>(tensor.int32_data().begin(), tensor.int32_data().end());
  return std::vector<int64_t>(narrow.begin(), narrow.end());
}

onnx::TensorProto rawTensor(StringRef name, int type, ArrayRef<int64_t> dims, std::string bytes) {
  onnx::TensorProto tensor;
  tensor.set_name(name.str());
  tensor.set_data_type(type);
  for (int64_t dim : dims)
    tensor.add_dims(dim);
  tensor.set_raw_data(std::move(bytes));
  return tensor;
}

onnx::TensorProto floatTensor(StringRef name, ArrayRef<int64_t> dims, ArrayRef<float> values) {
  return rawTensor(name, onnx::TensorProto::FLOAT, dims,
                   std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)));
}

onnx::TensorProto int64Tensor(StringRef name, ArrayRef<int64_t> values) {
  return rawTensor(name, onnx::TensorProto::INT64, {static_cast<int64_t>(values.size())},
                   std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(int64_t)));
}

} // namespace sinter::quantize
