// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary folders and renaming.
#include "driver/staging.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
Error failure(const Twine &what, std::error_code code) { return createStringError(code, what + ": " + code.message()); }

/// Folders of `path` that do not exist, outermost first.
std::vector<std::string> missingFolders(StringRef path) {
  std::vector<std::string> missing;
  for (StringRef at = path; !at.empty() && !sys::fs::exists(at); at = sys::path::parent_path(at))
    missing.insert(missing.begin(), at.str());
  return missing;
}
} // namespace

Expected<std::unique_ptr<Staging>> Staging::beside(StringRef folder) {
  SmallString<128> place(folder.empty() ? "." : folder);
  if (std::error_code code = sys::fs::make_absolute(place))
    return failure(folder, code);
  sys::path::remove_dots(place, /*remove_dot_dot=*/false);
  while (place.size() > 1 && place.back() == '/')
    place.pop_back();
  std::vector<std::string> made = missingFolders(place);
  if (std::error_code code = sys::fs::create_directories(place, /*IgnoreExisting=*/true, sys::fs::all_all))
    return failure(folder, code);
  SmallString<128> path;
  if (std::error_code code = sys::fs::createUniqueDirectory(Twine(place) + "/.sinter", path)) {
    for (const std::string &folderMade : llvm::reverse(made))
      (void)sys::fs::remove(folderMade);
    return failure(folder, code);
  }
  std::unique_ptr<Staging> staging(new Staging(path.str().str(), place.str().str()));
  staging->madeFolders = std::move(made);
  return staging;
}

Expected<std::unique_ptr<Staging>> Staging::temporary() {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createUniqueDirectory("sinter", path))
    return failure("temporary folder", code);
  return std::unique_ptr<Staging>(new Staging(path.str().str(), ""));
}

Staging::~Staging() {
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

Error Staging::write(StringRef name, StringRef contents) const {
  std::error_code code;
  raw_fd_ostream out(file(name), code);
  if (!code) {
    out << contents;
    out.close();
    code = out.error();
  }
  if (!code)
    return Error::success();
  out.clear_error();
  return failure(file(name), code);
}

Error Staging::publish(ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (std::error_code code = sys::fs::rename(file(name), Twine(destination) + "/" + name))
      return failure(destination + "/" + name, code);
  published = true;
  return Error::success();
}

} // namespace sinter
