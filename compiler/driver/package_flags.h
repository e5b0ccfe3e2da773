// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --package and what a package says of itself.
#pragma once

#include "codegen/packages/packages.h"
#include "driver/compile_flags.h"
#include "driver/staging.h"

#include "diagnostics/diagnostics.h"

namespace sinter {

struct PackageFlags {
  Flag<std::string> package{FlagGroup::Code, "package",
                            Says("into the folder: a library for an ecosystem, with its metadata"),
                            Takes(packageChoices + 1)};
  FlagList info{FlagGroup::Code, "package-info",
                Says("what a package says of itself: its version (default: 1.0.0), author, url, description; of "
                     "triton: instances, model-version"),
                Takes("version=1.2.0")};

  /// Checks the values, once `flags` have filled in `job`; false after a message. `isFolder`: sources go into a folder.
  bool toJob(const CompileFlags &flags, bool isFolder, CompileJob &job) const;
};

/// Files that users edit (codegen/packages/edited.h), and have edited in `folder`, go from `files`: they stay as they
/// are, of which a note tells. False after a message if one was edited that would be another now.
bool keepEdited(llvm::StringRef folder, const Staging &made, std::vector<std::string> &files, Diagnostics &diagnostics);

/// Files of a package that say which net it is but are called alike in all (README.md, package.json) are not to replace
/// those of another package, or a project's own: false after a message if one in `folder` does not name this net.
bool mayReplace(llvm::StringRef folder, const Staging &made, llvm::ArrayRef<std::string> files, llvm::StringRef prefix);

} // namespace sinter
