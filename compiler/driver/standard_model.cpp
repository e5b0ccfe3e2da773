// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/standard_model.h"

#include "quantize/weights_file.h"

#include "llvm/Support/Path.h"

namespace sinter {

std::string folderOf(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

std::optional<quantize::Model> readStandardModel(ImportOptions options, llvm::StringRef path,
                                                 Diagnostics &diagnostics) {
  options.dims.try_emplace("*", DimValue{1, 1}); // any, as nothing is planned
  return quantize::readModel(path, options, diagnostics, {Code::UnknownOperator, Code::DimWithoutValue},
                             quantize::WeightsFile::least);
}

} // namespace sinter
