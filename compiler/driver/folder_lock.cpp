// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks of folders, by flock().
#include "driver/folder_lock.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace sinter {

FolderLock &FolderLock::operator=(FolderLock &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    close(descriptor);
}

Expected<FolderLock> FolderLock::of(StringRef folder) {
  auto failure = [&](int number) {
    return createStringError(std::error_code(number, std::generic_category()), folder);
  };
  std::string path = folder.str();
  FolderLock lock;
  lock.descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock.descriptor < 0)
    return failure(errno);
  if (flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return failure(EWOULDBLOCK);
    return FolderLock();
  }
  // Who held it before may have removed it, and somebody have made it again.
  struct stat held, named;
  if (fstat(lock.descriptor, &held) != 0 || lstat(path.c_str(), &named) != 0 || held.st_ino != named.st_ino)
    return failure(ENOENT);
  return lock;
}

/// On disks of other machines a lock may hold on one machine alone.
static bool locksHoldEverywhere(StringRef folder) {
  bool local = false;
  return !sys::fs::is_local(folder, local) && local;
}

void removeAbandonedFolders(StringRef prefix) {
  StringRef parent = sys::path::parent_path(prefix);
  if (!locksHoldEverywhere(parent))
    return;
  StringRef begin = sys::path::filename(prefix);
  std::error_code code;
  for (sys::fs::directory_iterator entry(parent, code), end; entry != end && !code; entry.increment(code)) {
    StringRef name = sys::path::filename(entry->path());
    if (!name.consume_front(begin) || !name.consume_front("-") || name.size() != uniqueEnd.size() - 1 ||
        !all_of(name, isHexDigit))
      continue;
    sys::fs::file_status status;
    if (sys::fs::status(entry->path(), status, /*Follow=*/false) || !sys::fs::is_directory(status) ||
        status.getUser() != geteuid())
      continue;
    Expected<FolderLock> lock = FolderLock::of(entry->path());
    if (lock && *lock)
      (void)sys::fs::remove_directories(entry->path(), /*IgnoreErrors=*/true);
    else
      consumeError(lock.takeError());
  }
}

} // namespace sinter
