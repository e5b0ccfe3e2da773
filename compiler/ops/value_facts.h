// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What conversion learns of the values of a model on its way: their types, their sizes as arithmetic on dims, and what
// they hold, where that is known at compile time. `sinter simplify` writes it back into the model.
#pragma once

#include "interpreter/host_tensor.h"
#include "ir/element_type.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

class Conversion;

/// A size, or an element of a small integer tensor.
struct SizeFact {
  std::optional<int64_t> number;
  /// Equal for equal sizes. Of what follows from named dims alone it is text for people, such as "past + 2*seq".
  std::string text;
  bool isNamed = false; ///< follows from named dims

  bool operator==(const SizeFact &other) const { return number == other.number && text == other.text; }
};

struct ValueFact {
  ElementType element = ElementType::Undefined;
  std::vector<SizeFact> dims;
  std::optional<HostTensor> contents;            ///< known whole at compile time
  std::optional<std::vector<SizeFact>> elements; ///< of integers of rank 0 or 1, few of them, known as arithmetic
};

/// By name, of the values of the main graph that are tensors.
struct ValueFacts {
  llvm::StringMap<ValueFact> values;

  const ValueFact *find(llvm::StringRef name) const {
    auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }
};

/// Of what `source`, node IR's function, was converted to; the builder's place is behind that.
void recordFacts(mlir::Operation *source, Conversion &conversion, mlir::OpBuilder &builder, ValueFacts &facts);

} // namespace sinter
