// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary folders and renaming.
#include "driver/staging.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
Error systemFailure(const Twine &what, std::error_code code) {
  return createStringError(code, what + ": " + code.message());
}

/// Folders of `path` that do not exist, outermost first.
std::vector<std::string> missingFolders(StringRef path) {
  std::vector<std::string> missing;
  for (StringRef at = path; !at.empty() && !sys::fs::exists(at); at = sys::path::parent_path(at))
    missing.insert(missing.begin(), at.str());
  return missing;
}
} // namespace

/// A folder, and those around it. A signal comes before or after: one that came between, to another thread, would
/// remove what is there and miss what is made then.
static std::error_code makeFolders(const Twine &path) {
  SignalsWait untilTheyAreThere;
  return sys::fs::create_directories(path, /*IgnoreExisting=*/true, sys::fs::all_all);
}

/// `prefix` with digits behind it that no other folder has. Signals know the name before there is such a folder. What
/// runs that were killed have left goes first.
Expected<std::unique_ptr<Staging>> Staging::make(StringRef prefix, std::string destination) {
  removeAbandonedFolders(prefix);
  std::error_code code;
  for (int attempt = 0; attempt < 128; ++attempt) {
    SmallString<128> unique;
    sys::fs::createUniquePath(uniqueEnd, unique, /*MakeAbsolute=*/false); // of the end alone: it replaces each %
    std::string path = (prefix + unique).str();
    std::unique_ptr<Staging> staging(new Staging(path, std::move(destination)));
    {
      SignalsWait untilItIsThere;
      code = sys::fs::create_directory(path, /*IgnoreExisting=*/false, sys::fs::owner_all);
    }
    if (!code) {
      Expected<FolderLock> lock = FolderLock::of(path);
      if (lock) {
        staging->lock = std::move(*lock);
        return staging;
      }
      code = errorToErrorCode(lock.takeError());
      if (code == std::errc::operation_would_block || code == std::errc::no_such_file_or_directory)
        code = std::make_error_code(std::errc::file_exists); // another run took it for abandoned before it was locked
    }
    destination = std::move(staging->destination);
    staging->path.clear(); // it is not ours
    if (code != std::errc::file_exists)
      break;
  }
  return systemFailure(prefix, code);
}

Expected<std::unique_ptr<Staging>> Staging::beside(StringRef folder) {
  SmallString<128> place(folder.empty() ? "." : folder);
  if (std::error_code code = sys::fs::make_absolute(place))
    return systemFailure(folder, code);
  sys::path::remove_dots(place, /*remove_dot_dot=*/false);
  while (place.size() > 1 && place.back() == '/')
    place.pop_back();
  std::vector<std::string> made = missingFolders(place);
  std::vector<RemovedOnSignal> removedIfEmpty;
  for (const std::string &missing : made)
    removedIfEmpty.emplace_back(missing, RemovedOnSignal::What::EmptyFolder);
  if (std::error_code code = makeFolders(place))
    return systemFailure(folder, code);
  Expected<std::unique_ptr<Staging>> staging = make((place + "/.sinter").str(), place.str().str());
  if (!staging) {
    for (const std::string &folderMade : llvm::reverse(made))
      (void)sys::fs::remove(folderMade);
    return createStringError(folder + toString(staging.takeError()).substr(place.size() + 8));
  }
  (*staging)->madeFolders = std::move(made);
  (*staging)->removedIfEmpty = std::move(removedIfEmpty);
  return staging;
}

Expected<std::unique_ptr<Staging>> Staging::temporary() {
  SmallString<128> place;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, place);
  return make((place + "/sinter").str(), "");
}

Staging::~Staging() {
  if (path.empty())
    return;
  (void)sys::fs::remove_directories(path, /*IgnoreErrors=*/true);
  if (!published)
    for (const std::string &folder : llvm::reverse(madeFolders))
      (void)sys::fs::remove(folder); // only when empty
}

std::string Staging::file(StringRef name) const { return path + "/" + name.str(); }

std::vector<std::string> Staging::files() const {
  std::vector<std::string> names;
  std::error_code code;
  for (sys::fs::directory_iterator entry(path, code), end; entry != end && !code; entry.increment(code))
    names.push_back(sys::path::filename(entry->path()).str());
  llvm::sort(names);
  return names;
}

/// What keeps a file from being put in its place.
static Error obstacleTo(const std::string &made, StringRef destination, StringRef name) {
  std::string place = (destination + "/" + name).str();
  if (!sys::fs::exists(made))
    return createStringError(std::errc::no_such_file_or_directory, "%s was to be made, and is not there",
                             name.str().c_str());
  if (sys::fs::is_directory(place))
    return createStringError(std::errc::is_a_directory, "%s is a folder", place.c_str());
  for (StringRef at = sys::path::parent_path(place); at.size() > destination.size(); at = sys::path::parent_path(at))
    if (sys::fs::exists(at) && !sys::fs::is_directory(at))
      return createStringError(std::errc::not_a_directory, "%s is no folder", at.str().c_str());
  return Error::success();
}

static std::error_code makeFolderOf(StringRef place) { return makeFolders(sys::path::parent_path(place)); }

Error Staging::write(StringRef name, StringRef contents) const {
  return write(name, [&](raw_ostream &out) { out << contents; });
}

Error Staging::write(StringRef name, llvm::function_ref<void(raw_ostream &)> print) const {
  if (std::error_code code = makeFolderOf(file(name)))
    return systemFailure(file(name), code);
  std::error_code code;
  raw_fd_ostream out(file(name), code);
  if (!code) {
    print(out);
    out.close();
    code = out.error();
  }
  if (!code)
    return Error::success();
  out.clear_error();
  return systemFailure(file(name), code);
}

Error Staging::publish(ArrayRef<std::string> names) {
  SignalsWait untilAllIsThere;
  for (const std::string &name : names) // before any is moved
    if (Error error = obstacleTo(file(name), destination, name))
      return error;
  for (const std::string &name : names) {
    std::string place = destination + "/" + name;
    std::error_code code = makeFolderOf(place);
    if (!code)
      code = sys::fs::rename(file(name), place);
    if (code)
      return systemFailure(place, code);
  }
  published = true;
  return Error::success();
}

} // namespace sinter
