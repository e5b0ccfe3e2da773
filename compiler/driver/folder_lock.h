// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which temporary folders are still somebody's: each is locked by the process that made it, and the system frees the
// lock however that process ends. So a later run knows what one that was killed has left. staging.h makes the folders.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sinter {

class FolderLock {
public:
  FolderLock() = default;
  /// An error where another process, or another lock of this one, holds the folder, or where it is gone by now. On file
  /// systems without locks the lock is empty and means nothing.
  static llvm::Expected<FolderLock> of(llvm::StringRef folder);
  FolderLock(FolderLock &&other) noexcept : descriptor(other.descriptor) { other.descriptor = -1; }
  FolderLock &operator=(FolderLock &&other) noexcept;
  FolderLock(const FolderLock &) = delete;
  ~FolderLock();
  explicit operator bool() const { return descriptor >= 0; }

private:
  int descriptor = -1;
};

/// Twelve hexadecimal digits, by which names of temporary folders end: a pattern of sys::fs::createUniquePath.
inline constexpr llvm::StringLiteral uniqueEnd = "-%%%%%%%%%%%%";

/// Removes this user's folders `prefix` + uniqueEnd that nobody holds.
void removeAbandonedFolders(llvm::StringRef prefix);

} // namespace sinter
