// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/standard_model.h"

namespace sinter {

std::optional<quantize::Model> readStandardModel(ImportOptions options, llvm::StringRef path,
                                                 Diagnostics &diagnostics) {
  options.dims.try_emplace("*", DimValue{1, 1}); // any, as nothing is planned
  return quantize::readModel(path, options, diagnostics, {Code::UnknownOperator, Code::DimWithoutValue});
}

} // namespace sinter
