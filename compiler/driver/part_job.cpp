// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/part_job.h"

namespace sinter {

CompileJob partOf(const CompileJob &job, llvm::StringRef model, llvm::StringRef name) {
  CompileJob part = job;
  part.model = model.str();
  part.import.dims.clear();
  part.polynomials.clear();
  part.conversion.states.clear();
  part.exactCopies.clear();
  part.adapterPaths.clear();
  part.adapters.clear();
  part.import.given.clear();
  part.import.namesModules = false;
  part.decoder.reset();
  part.codegen.session.reset();
  part.codegen.example = false;
  part.codegen.prefix = job.codegen.prefix + "_" + name.str();
  return part;
}

} // namespace sinter
