// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error that is a sentence, without a code of the system's.
#pragma once

#include "llvm/Support/Error.h"

namespace sinter {

inline llvm::Error errorSaying(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

} // namespace sinter
