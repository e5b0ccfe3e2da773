// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of a model, compiled at the sizes of one call as the whole was, and what it gives beside what was expected.
#pragma once

#include "driver/build_program.h"
#include "driver/verdict.h"

#include "onnx-ml.pb.h"

namespace sinter {

/// How the whole model was compiled, and what counts as a difference.
struct PartBuild {
  const BuiltProgram &whole;
  double tolerance;
  llvm::StringRef cxx, optimization;
};

class PartTrial {
public:
  /// None: the part cannot stand alone (its inputs are sequences, it does not compile).
  static std::optional<PartTrial> build(const onnx::ModelProto &part, const PartBuild &how);

  /// `verdicts`: of the outputs. A call that ends with a status differs too, and so does one that takes the program
  /// with it: `problem` says how.
  bool differs(llvm::ArrayRef<HostArray> inputs, llvm::ArrayRef<HostArray> expected, std::vector<Verdict> &verdicts,
               std::string &problem);

private:
  std::unique_ptr<Staging> staging;
  BuiltProgram built;
  Tolerance allowed;
};

} // namespace sinter
