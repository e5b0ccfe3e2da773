// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that were made before. The runner and the emulated GPU are the same for every model, and take longer to
// compile than a small one does; a model that is run again, with other inputs or settings, is the same, too. Where the
// environment variable SINTER_CACHE names a folder, objects are kept there. A compiler is known by its file's path,
// size and time: a script that asks its environment which compiler to be wants no cache.
#pragma once

#include "driver/cxx.h"

namespace sinter {

struct CodegenOptions;

/// As Cxx::compile, of a folder that holds all that the sources include but for the compiler's own headers: an object
/// made before by the same compiler, with the same flags, of a folder with the same sources is taken from the cache. A
/// cache that cannot be read or written is as none. Of sources of more than 32 MiB, which have large weights, no object
/// is kept.
llvm::Expected<std::vector<std::string>> compileCached(const Cxx &cxx, llvm::StringRef folder,
                                                       llvm::ArrayRef<std::string> sources,
                                                       llvm::ArrayRef<std::string> extra = {});
/// The same of a model's sources, or of what is compiled beside them. Headers of a user's own (custom operators) may
/// include others from anywhere, and what tells of itself in further files is more than an object: both are compiled
/// each time.
llvm::Expected<std::vector<std::string>> compileModelSources(const Cxx &cxx, llvm::StringRef folder,
                                                             llvm::ArrayRef<std::string> sources,
                                                             const CodegenOptions &options,
                                                             llvm::ArrayRef<std::string> extra = {});

} // namespace sinter
