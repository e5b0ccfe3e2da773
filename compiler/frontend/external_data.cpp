// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening and slicing external data. Containment is decided on canonical paths (symlinks resolved on both sides), and
// the kernel is asked again with RESOLVE_BENEATH, so that a link swapped in between cannot lead outside.
#include "frontend/external_data.h"
#include "frontend/mapped_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace sinter {
namespace {
std::optional<std::string> canonical(const std::string &path) {
  char *resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved)
    return std::nullopt;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

/// `path` relative to `root`, both canonical; none if it is not beneath it. Compares whole components.
std::optional<std::string> beneath(const std::string &root, const std::string &path) {
  StringRef rest = path;
  if (root == "/")
    return rest.drop_front(1).str();
  if (!rest.consume_front(root) || !rest.consume_front("/"))
    return std::nullopt;
  return rest.str();
}

/// The kernel's containment; where it is too old for openat2 (before Linux 5.6), the canonical path without following a
/// last link.
int openRelative(const std::string &root, const std::string &relative) {
  int folder = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return -1;
  open_how how = {};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; // a FIFO must not block before fstat has refused it
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  int fd = static_cast<int>(::syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof(how)));
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    fd = ::openat(folder, relative.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  ::close(folder);
  return fd;
}

Problem problemOf(Code code, const Twine &message, const Twine &hint = "") {
  return {code, message.str(), {}, hint.str()};
}
} // namespace

std::optional<uint64_t> parseUnsigned(StringRef text) {
  uint64_t value;
  if (text.empty() || !all_of(text, isDigit) || text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

ExternalData::ExternalData(StringRef folder, ArrayRef<std::string> extra, bool untrusted) : untrusted(untrusted) {
  if (!folder.empty())
    if (auto root = canonical(folder.str()))
      roots.push_back(*root);
  for (const std::string &root : extra)
    if (auto resolved = canonical(root))
      roots.push_back(*resolved);
}

ExternalData::File ExternalData::openBeneath(const std::string &root, StringRef location, Problem &problem,
                                             bool &found) {
  std::string joined = location.starts_with("/") ? location.str() : root + "/" + location.str();
  auto resolved = canonical(joined);
  if (!resolved)
    return nullptr;
  found = true;
  for (const std::string &allowed : roots) {
    auto relative = beneath(allowed, *resolved);
    if (!relative)
      continue;
    int fd = openRelative(allowed, *relative);
    if (fd < 0) {
      problem = problemOf(Code::ExternalDataMissing,
                          "external data '" + location + "' cannot be read: " + StringRef(strerror(errno)));
      return nullptr;
    }
    struct stat status;
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || (untrusted && status.st_nlink > 1)) {
      problem = problemOf(Code::ExternalDataNotRegular, "external data '" + location + "' is not a regular file" +
                                                            Twine(untrusted ? " of one name" : ""));
      ::close(fd);
      return nullptr;
    }
    auto buffer = MemoryBuffer::getOpenFile(fd, *resolved, static_cast<uint64_t>(status.st_size),
                                            /*RequiresNullTerminator=*/false);
    ::close(fd);
    if (!buffer) {
      problem = problemOf(Code::ExternalDataMissing,
                          "external data '" + location + "' cannot be read: " + buffer.getError().message());
      return nullptr;
    }
    files.push_back({*resolved, File(std::move(*buffer))});
    return files.back().file;
  }
  return nullptr;
}

ExternalData::File ExternalData::open(StringRef location, Problem &problem) {
  auto known = byLocation.find(location);
  if (known != byLocation.end())
    return files[known->second].file;
  problem = problemOf(Code::ExternalDataInvalid, "external data has no usable file name");
  if (location.empty() || location.size() >= PATH_MAX || location.contains('\0'))
    return nullptr;
  bool found = false;
  problem = problemOf(Code::ExternalDataMissing, "external data '" + location + "' is missing",
                      "put it beside the model, or name its folder: --external-root DIR");
  Problem missing = problem;
  for (const std::string &root : roots)
    if (File file = openBeneath(root, location, problem, found)) {
      byLocation[location] = files.size() - 1;
      return file;
    }
  if (found && problem.message == missing.message)
    problem = problemOf(Code::ExternalDataOutside, "external data '" + location + "' is outside the model's folder",
                        "if you trust the model, allow that folder: --external-root DIR");
  return nullptr;
}

/// Of the whole file, once for all tensors in it. A sum that is no SHA-1 matches no file.
bool ExternalData::matchesChecksum(const ExternalPlace &place, Problem &problem) {
  auto [known, isNew] = sums.try_emplace(place.location);
  if (isNew)
    known->second = sha1(*files[byLocation.lookup(place.location)].file);
  if (StringRef(place.checksum).equals_insensitive(known->second))
    return true;
  problem = problemOf(Code::ExternalDataInvalid,
                      "external data '" + Twine(place.location) + "' has the SHA-1 " + known->second +
                          "; the model states '" + StringRef(place.checksum).take_front(80) + "'",
                      "the file is not the one that the model was saved with, or it is damaged: save both again");
  return false;
}

std::optional<StringRef> ExternalData::read(const ExternalPlace &place, uint64_t size, File &file, Problem &problem) {
  file = open(place.location, problem);
  if (!file)
    return std::nullopt;
  if (!place.checksum.empty() && !matchesChecksum(place, problem))
    return std::nullopt;
  uint64_t available = file->getBufferSize();
  if (place.offset > available || size > available - place.offset) {
    problem = problemOf(Code::ExternalDataInvalid, "external data '" + Twine(place.location) + "' has " +
                                                       Twine(available) + " bytes; the tensor wants " + Twine(size) +
                                                       " from byte " + Twine(place.offset));
    return std::nullopt;
  }
  return file->getBuffer().substr(place.offset, size);
}

} // namespace sinter
