// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each operator version of the schema table becomes code: asked of the registered lowerings and of the function
// bodies, never written down. `sinter ops` and `sinter analyze` print it.
#pragma once

#include "diagnostics/diagnostics.h"
#include "frontend/inventory.h"
#include "frontend/schema.h"

namespace sinter {

enum class Support {
  Imported,       ///< read as a tensor of the model
  Lowered,        ///< a lowering of its own
  Differentiated, ///< Gradient: nodes by the rules of what it differentiates
  ByFunction,     ///< ONNX defines it by a function of operators that are supported
  None,
  Withdrawn, ///< ONNX has taken it back: no model may use it
};

Support supportOf(const OperatorSchema &schema);
inline bool isSupported(Support support) { return support <= Support::ByFunction; }
/// "read as a tensor", "lowered", "by rules of differentiation", "by its function body", "not supported", "withdrawn".
llvm::StringRef supportText(Support support);

/// A problem for each operator of the model that is known and not supported, unless it is among `diagnostics` already:
/// whatever else stops a run, it names all that stands in the way.
void reportUnsupported(const Inventory &inventory, Diagnostics &diagnostics);

} // namespace sinter
