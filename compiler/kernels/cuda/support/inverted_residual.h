// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether convolutions that expand, convolve by channel and project are one kernel of a GPU, and with which tile:
// templates/cuda/inverted_residual.h. The pass that puts them together and the printer of the call ask the same.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"
#include "templates/cuda/residual_shape.h"

namespace sinter {

struct ResidualParts {
  ConvOp expand; ///< null: the block begins with the depthwise one
  ConvOp depthwise, project;
};

struct ResidualPlan {
  cuda::ResidualShape shape;
  double microseconds = 0;      ///< what the launch takes, about
  double microsecondsApart = 0; ///< and a launch for each convolution

  bool pays() const { return microseconds < microsecondsApart; }
};

/// On buffers, kernels chosen. Nothing, with a word why not, where the template does not take the convolutions, or no
/// tile fits into the shared memory of each of the target's GPUs. `maySplit`: hidden channels among blocks.
std::optional<ResidualPlan> planResidual(ResidualParts parts, const Target &target, bool maySplit,
                                         llvm::StringRef &whyNot);

/// "tiles of 4 x 4 pixels, 48 channels at a time, 8 splits"
std::string describeTile(const cuda::ResidualTile &tile);

} // namespace sinter
