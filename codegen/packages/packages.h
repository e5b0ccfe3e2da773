// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --package: the generated library in the layout of an ecosystem, with its metadata. packages.def lists them; each is a
// folder of files as users get them. No text of a model stands in one: names are identifiers made of the prefix,
// tensors stand in comments' form, and what the user says of the package (PackageInfo) has no character that any of the
// formats would take for its own.
#pragma once

#include "codegen/abi/abi_header.h"

namespace sinter {

struct PackageKind {
  llvm::StringRef name;
  llvm::StringRef machines; ///< that it is for, as packages.def says
  llvm::StringRef example;  ///< where common/main.c goes; empty: it has an example of its own
  llvm::StringRef usage;    ///< in README.md

  bool isFor(const Target &target) const;
};
llvm::ArrayRef<PackageKind> packageKinds();
/// "|arduino|zephyr...", for help.
inline constexpr char packageChoices[] =
#define SINTER_PACKAGE(name, machines, example, usage) "|" name
#include "packages.def"
#undef SINTER_PACKAGE
    ;
/// "arduino, zephyr, ...".
std::string packageNames(llvm::StringRef between);

/// Takes "version=1.2.3", "author=...", "url=...", "description=..."; what is wrong with it, or nothing.
std::optional<std::string> readPackageInfo(llvm::StringRef text, PackageInfo &info);

/// Puts the sources among `files` into src/ and adds the package's own files.
void makePackageFiles(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                      int64_t weightsBytes, std::vector<GeneratedFile> &files);

} // namespace sinter
