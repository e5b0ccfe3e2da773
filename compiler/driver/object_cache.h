// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the sources that Sinter brings itself: the runner, the emulated GPU. They are the same for every model,
// and take longer to compile than a small model does. Where the environment variable SINTER_CACHE names a folder,
// objects are kept there. A compiler is known by its file's path, size and time: a script that asks its environment
// which compiler to be wants no cache.
#pragma once

#include "driver/cxx.h"

namespace sinter {

/// As Cxx::compile, of a folder that holds all that the sources include of ours: an object made before by the same
/// compiler, with the same flags, of a folder with the same sources is taken from the cache. A cache that cannot be
/// read or written is as none.
llvm::Expected<std::vector<std::string>> compileCached(const Cxx &cxx, llvm::StringRef folder,
                                                       llvm::ArrayRef<std::string> sources,
                                                       llvm::ArrayRef<std::string> extra = {});

} // namespace sinter
