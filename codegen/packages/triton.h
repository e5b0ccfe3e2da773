// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --package triton: what config.pbtxt and the backend (triton/) are told of a model. The first dim of all tensors,
// where it is one that varies from 1 on, is rows that the server may gather from several requests. A model with states
// runs sequences of requests.
#pragma once

#include "codegen/abi/interface.h"

namespace sinter {

/// What the server's protocol cannot carry among inputs and outputs; empty: all can be.
std::string unservedTensor(const Interface &interface);

std::vector<std::pair<llvm::StringRef, std::string>> servedValues(const Interface &interface);

} // namespace sinter
