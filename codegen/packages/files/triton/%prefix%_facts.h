// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// @made@ What the backend knows of this model beside what the model says of itself.
#pragma once

#include "@prefix@.h"

namespace {
constexpr int most_tensors = @tensor-count@, most_dims = @dim-count@;
constexpr long long most_rows = @rows@; ///< that requests have together in a call; 0: each request is a call
const char *const input_names[] = {@input-names@};
const char *const output_names[] = {@output-names@};

const sinter_model_info *model_info() { return @prefix@_info(); }
int model_run(const void *in, void *out, const sinter_env *env) {
  return @prefix@_run_with(static_cast<const @prefix@_inputs *>(in), static_cast<@prefix@_outputs *>(out), env);
}
} // namespace
