// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/quantized_array.h"

#include "driver/tensor_file.h"

#include <cmath>
#include <limits>

using namespace llvm;

namespace sinter {
namespace {

template <class T>
void quantizeInto(HostArray &to, const HostArray &from, const TensorInfo &tensor) {
  for (int64_t i = 0, n = from.size(); i < n; ++i) {
    auto real = static_cast<float>(numberAt(from, i));
    double number = std::nearbyint(static_cast<double>(real / tensor.scale)) + static_cast<double>(tensor.zeroPoint);
    constexpr double least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    auto element = static_cast<T>(std::isnan(number) ? 0 : number < least ? least : number > most ? most : number);
    std::memcpy(to.bytes.data() + i * static_cast<int64_t>(sizeof(T)), &element, sizeof(T));
  }
}

} // namespace

HostArray quantized(HostArray array, const TensorInfo &tensor) {
  if (tensor.scale == 0 || array.type != ElementType::Float)
    return array;
  HostArray result = HostArray::zeros(tensor.type, array.dims);
  result.name = array.name;
  if (tensor.type == ElementType::Int8)
    quantizeInto<int8_t>(result, array, tensor);
  else if (tensor.type == ElementType::UInt8)
    quantizeInto<uint8_t>(result, array, tensor);
  else if (tensor.type == ElementType::Int16)
    quantizeInto<int16_t>(result, array, tensor);
  else
    quantizeInto<uint16_t>(result, array, tensor);
  return result;
}

HostArray dequantized(HostArray array, const TensorInfo &tensor) {
  if (tensor.scale == 0 || array.type != tensor.type)
    return array;
  HostArray result = HostArray::zeros(ElementType::Float, array.dims);
  result.name = array.name;
  for (int64_t i = 0, n = array.size(); i < n; ++i) {
    float real = static_cast<float>(numberAt(array, i) - static_cast<double>(tensor.zeroPoint)) * tensor.scale;
    std::memcpy(result.bytes.data() + i * static_cast<int64_t>(sizeof real), &real, sizeof real);
  }
  return result;
}

std::optional<HostArray> readTensor(StringRef path, const TensorInfo &tensor, ArrayRef<int64_t> dims,
                                    std::string &problem) {
  bool saysItsType = path.ends_with(".npy") || path.ends_with(".pb");
  std::optional<HostArray> array =
      readTensorFile(path, tensor.scale != 0 && saysItsType ? ElementType::Undefined : tensor.type, dims, problem);
  if (!array || array->type == tensor.type || array->type == ElementType::Float || tensor.scale == 0)
    return array;
  problem = (path + ": holds " + elementTypeName(array->type) + "; the model expects float or " +
             elementTypeName(tensor.type))
                .str();
  return std::nullopt;
}

std::vector<HostArray> dequantized(ArrayRef<HostArray> arrays, ArrayRef<TensorInfo> tensors) {
  std::vector<HostArray> result;
  for (const auto &[array, tensor] : zip(arrays, tensors))
    result.push_back(dequantized(array, tensor));
  return result;
}

} // namespace sinter
