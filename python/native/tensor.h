// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiled model says of a tensor of its interface (sinter_tensor_info), in a form that calls can be checked and
// made by without looking anything up again.
#pragma once

#include <nanobind/nanobind.h>

#include "runtime-lite/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter_python {

namespace nb = nanobind;

constexpr int stringType = 8;

struct Tensor {
  /// Of a dim, where it is not the number of a symbol.
  enum : int { Fixed = -1, Computed = -2 };

  std::string name;
  int type = 0;                 ///< TensorProto.DataType
  std::vector<int64_t> sizes;   ///< -1 where they vary; of a state that grows those of its buffer
  std::vector<int64_t> largest; ///< for which buffers of outputs need room
  std::vector<int> symbols;     ///< per dim: index into the model's dims, or Fixed or Computed
  std::vector<std::string> dimNames;
  std::string stateOutput; ///< of an input that the call updates: the graph output that it then holds
  int stateIndex = -1;     ///< that output's place among the graph's; -1: no state
  int growingDim = -1;     ///< of a state of which a call uses a part
  int64_t arenaOffset = -1;
  double scale = 0; ///< of quantized tensors, else 0
  int64_t zeroPoint = 0;
  std::string part; ///< of what is no tensor

  nb::object key;   ///< the name, interned
  nb::object dtype; ///< of arrays that calls make; of types that numpy lacks, of their bytes
  nb::object shape; ///< a tuple, where all sizes are fixed

  bool isState() const { return stateIndex >= 0; }
  bool isString() const { return type == stringType; }
  bool isFixed() const;
  /// What the call makes is not yet what the caller gets: Arrays.finish() makes it of the bytes.
  bool isRaw() const;
  /// Several elements lie in a byte.
  bool isPacked() const;
  /// Bytes of so many elements, as the ABI has them.
  size_t bytes(int64_t elements) const;
  /// Bytes that the address of the elements must be a multiple of.
  size_t alignment() const;
  /// Whether elements of that buffer format (PEP 3118) are this tensor's as they are.
  bool takes(const char *format, int64_t itemBytes) const;
};

/// Of an input or an output of `model`.
Tensor describe(const sinter_tensor_info &info, const sinter_model_info &model);

/// For Python.
nb::dict toPython(const Tensor &tensor);

} // namespace sinter_python
