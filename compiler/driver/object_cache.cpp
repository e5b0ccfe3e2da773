// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/object_cache.h"

#include "codegen/codegen.h"
#include "driver/staging.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr char cachePrefix[] = "llvmcache-"; // what pruneCache() removes
constexpr size_t mostKeptBytes = size_t(32) << 20;

/// A hash of parts that cannot run into each other.
class Key {
public:
  void add(StringRef part) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  std::string text() { return toHex(hash.final(), /*LowerCase=*/true); }

private:
  SHA256 hash;
};

/// Without the place of the folder, which is another each time.
std::string withoutFolder(StringRef flag, StringRef folder) {
  std::string text = flag.str();
  if (size_t at = text.find(folder.str()); at != std::string::npos)
    text.replace(at, folder.size(), "");
  return text;
}

/// The compiler by its file's size and time, as ccache has it.
std::string identityOf(StringRef program) {
  sys::fs::file_status status;
  if (sys::fs::status(program, status))
    return "";
  return (program + " " + Twine(status.getSize()) + " " +
          Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

/// Sources; objects may lie among them already. Whether they are few enough to be kept.
bool addFiles(Key &key, StringRef folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator file(folder, code), end; file != end && !code; file.increment(code))
    if (!sys::fs::is_directory(file->path()) && !StringRef(file->path()).ends_with(".o"))
      files.push_back(file->path());
  llvm::sort(files);
  size_t bytes = 0;
  for (const std::string &path : files) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(path);
    bytes += text ? (*text)->getBufferSize() : 0;
    if (bytes > mostKeptBytes)
      return false;
    key.add(withoutFolder(path, folder));
    key.add(text ? (*text)->getBuffer() : StringRef());
  }
  return true;
}

/// Copies an object into the cache: whole, or not at all.
Error keep(const std::string &object, StringRef cache, StringRef name) {
  Expected<std::unique_ptr<Staging>> staging = Staging::beside(cache);
  if (!staging)
    return staging.takeError();
  if (std::error_code code = sys::fs::copy_file(object, (*staging)->file(name)))
    return createStringError(code, code.message());
  return (*staging)->publish(name.str());
}
} // namespace

Expected<std::vector<std::string>> compileCached(const Cxx &cxx, StringRef folder, ArrayRef<std::string> sources,
                                                 ArrayRef<std::string> extra) {
  std::optional<std::string> cache = sys::Process::GetEnv("SINTER_CACHE");
  std::string compiler = identityOf(cxx.program);
  if (!cache || cache->empty() || compiler.empty())
    return cxx.compile(folder, sources, extra);

  Key common;
  common.add(compiler);
  common.add(cxx.isFreestanding ? "freestanding" : "hosted");
  for (ArrayRef<std::string> flags : {ArrayRef(cxx.flags), extra}) {
    for (const std::string &flag : flags)
      common.add(withoutFolder(flag, folder));
    common.add("");
  }
  if (!addFiles(common, folder))
    return cxx.compile(folder, sources, extra);
  std::string prefix = cachePrefix + common.text() + "-";

  std::vector<std::string> objects;
  for (const std::string &source : sources) {
    StringRef stem = source;
    if (!stem.consume_back(".cpp"))
      continue;
    std::string object = (folder + "/" + stem + ".o").str();
    std::string name = prefix + join(split(stem, '/'), "-") + ".o";
    if (sys::fs::copy_file(*cache + "/" + name, object)) {
      if (Expected<std::vector<std::string>> made = cxx.compile(folder, {source}, extra); !made)
        return made.takeError();
      consumeError(keep(object, *cache, name));
    }
    objects.push_back(object);
  }
  pruneCache(*cache, CachePruningPolicy()); // what was not used for a week
  return objects;
}

Expected<std::vector<std::string>> compileModelSources(const Cxx &cxx, StringRef folder, ArrayRef<std::string> sources,
                                                       const CodegenOptions &options, ArrayRef<std::string> extra) {
  if (cxx.isFreestanding || !options.userHeaders.empty())
    return cxx.compile(folder, sources, extra);
  return compileCached(cxx, folder, sources, extra);
}

} // namespace sinter
