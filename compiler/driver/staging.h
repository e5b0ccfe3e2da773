// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output appears whole or not at all: it is made in a temporary folder beside its place and moved there when everything
// is done. What else lies in that place stays as it is. A run that is killed leaves its temporary folder, which the
// next one removes.
#pragma once

#include "driver/folder_lock.h"
#include "driver/signals.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace sinter {

class Staging {
public:
  /// Makes a temporary folder in `folder` (itself created if absent), so that moving is renaming.
  static llvm::Expected<std::unique_ptr<Staging>> beside(llvm::StringRef folder);
  /// The same in the system's place for temporary files, for what is only run.
  static llvm::Expected<std::unique_ptr<Staging>> temporary();
  /// Removes what was not published, and folders that beside() made if nothing was.
  ~Staging();

  llvm::StringRef folder() const { return path; }
  std::string file(llvm::StringRef name) const;
  /// Names of the files made so far, sorted.
  std::vector<std::string> files() const;
  /// `name` may be a path, whose folders are made.
  llvm::Error write(llvm::StringRef name, llvm::StringRef contents) const;
  llvm::Error write(llvm::StringRef name, llvm::function_ref<void(llvm::raw_ostream &)> print) const;
  /// Moves these files, by name or path, to the folder that they were made beside.
  llvm::Error publish(llvm::ArrayRef<std::string> names);

private:
  Staging(std::string path, std::string destination)
      : path(std::move(path)), destination(std::move(destination)), removed(this->path) {}
  static llvm::Expected<std::unique_ptr<Staging>> make(llvm::StringRef prefix, std::string destination);
  std::string path, destination;
  RemovedOnSignal removed;
  FolderLock lock;                      ///< says to other runs that the folder is in use
  std::vector<std::string> madeFolders; ///< by beside(), outermost first
  std::vector<RemovedOnSignal> removedIfEmpty;
  bool published = false;
};

} // namespace sinter
