// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schema an operator of a model is read by, where the model's opset has none of it: optimizers write operators
// into models of opsets that do not have them yet, and tools leave opsets out. onnxruntime runs such models.
#pragma once

#include "frontend/schema.h"

#include <optional>

namespace sinter {

struct SchemaReading {
  enum Kind {
    AsStated,
    OpsetMissing, ///< the model imports no opset of the domain: the newest schema
    TooEarly,     ///< the operator is newer than the model's opset: its first schema
    Withdrawn,    ///< by the model's opset it is gone: the last schema before that
  };
  const OperatorSchema *schema = nullptr; ///< null: there is none of any version
  Kind kind = AsStated;

  /// "operator LayerNormalization exists from opset 17 on; the model asks for opset 12"; "" where read as stated.
  std::string describe(llvm::StringRef domain, std::optional<int64_t> opset) const;
};

/// `opset`: the model's, of that domain. Linear in the operator's versions.
SchemaReading readSchema(llvm::StringRef domain, llvm::StringRef name, std::optional<int64_t> opset);

} // namespace sinter
