// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ compiler of a target: finding it, and making objects, libraries and programs of generated sources.
#pragma once

#include "target/target.h"

#include "llvm/Support/Error.h"

namespace sinter {

/// A compiler that was found, with the flags of its target.
struct Cxx {
  std::string program;                ///< absolute path
  std::vector<std::string> flags;     ///< language, target, optimization
  std::vector<std::string> libraries; ///< that programs and shared libraries are linked with
  bool isFreestanding = false;        ///< for code at fixed places, with no library but the compiler's own
  ObjectFormat format = ObjectFormat::Elf;

  /// Runs the compiler; its messages become the error's text.
  llvm::Error run(llvm::ArrayRef<std::string> arguments) const;
  /// Programs and shared libraries are linked with these, too: "jpeg".
  void linkWith(llvm::ArrayRef<std::string> names);
  /// Whether it knows an option.
  bool accepts(llvm::StringRef option) const;
  /// Compiles every .cpp of `sources` (names in `folder`) to an object beside it; returns the objects' paths. A source
  /// with a file of its own flags beside it gets these, too.
  llvm::Expected<std::vector<std::string>> compile(llvm::StringRef folder, llvm::ArrayRef<std::string> sources,
                                                   llvm::ArrayRef<std::string> extra = {}) const;
  /// Flags for LLVM's linker, where it is there and the compiler is Clang or this machine's g++: it takes half of the
  /// time of the system's, or a third with sanitizers. For what is run once and thrown away.
  std::vector<std::string> fastLinker() const;
  llvm::Error linkShared(llvm::ArrayRef<std::string> objects, llvm::StringRef output) const;
  llvm::Error linkProgram(llvm::ArrayRef<std::string> objects, llvm::StringRef output, bool isStatic) const;
  /// An image for a board, by a linker script in `folder`.
  llvm::Error linkImage(llvm::ArrayRef<std::string> objects, llvm::StringRef folder, llvm::StringRef script,
                        llvm::StringRef output) const;
  /// A static library, the same bytes each time.
  llvm::Error archive(llvm::ArrayRef<std::string> objects, llvm::StringRef output) const;
};

/// What is looked for where --cxx names none.
llvm::ArrayRef<std::string> compilersFor(const Target &target);

/// What to do where none is found.
std::string compilerHint(const Target &target);

/// `given`: --cxx, looked up as shells do; empty: what the environment's CXX names, for targets of this system and
/// where it is there, else the target's own. The message says what was looked for. `optimization`: what stands behind
/// -O.
llvm::Expected<Cxx> findCxx(const Target &target, llvm::StringRef given, llvm::StringRef optimization);

/// Runs a program with its output in a file or discarded; returns the exit status, -1 when it could not start, -2 when
/// it crashed or ran out of time (0: none).
int execute(llvm::StringRef program, llvm::ArrayRef<std::string> arguments, llvm::StringRef outputFile,
            std::string &problem, unsigned timeout = 0);

} // namespace sinter
