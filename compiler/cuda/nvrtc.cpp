// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/nvrtc.h"

#include "cuda/nvrtc_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>
#include <map>
#include <set>

using namespace llvm;

namespace sinter {
namespace {
void appendList(std::vector<std::string> &folders, const char *variable) {
  if (std::optional<std::string> list = sys::Process::GetEnv(variable))
    for (StringRef folder : llvm::split(*list, ':'))
      if (!folder.empty())
        folders.push_back(folder.str());
}

/// The entries of a folder whose names begin so, sorted.
std::vector<std::string> entries(const Twine &folder, StringRef begin) {
  std::vector<std::string> found;
  std::error_code error;
  for (sys::fs::directory_iterator entry(folder, error), end; entry != end && !error; entry.increment(error))
    if (sys::path::filename(entry->path()).starts_with(begin))
      found.push_back(entry->path());
  llvm::sort(found);
  return found;
}

/// Where libraries lie below a folder that a user names: itself, a toolkit's, and a Python environment's packages.
std::vector<std::string> libraryFolders(const std::string &root) {
  std::vector<std::string> folders = {root, root + "/lib64", root + "/lib", root + "/targets/x86_64-linux/lib",
                                      root + "/targets/aarch64-linux/lib"};
  std::vector<std::string> packages = {root};
  for (const std::string &python : entries(root + "/lib", "python3"))
    packages.push_back(python + "/site-packages");
  for (const std::string &place : packages)
    for (const std::string &package : entries(place + "/nvidia", ""))
      folders.push_back(package + "/lib");
  return folders;
}

template <class Function>
bool findSymbol(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Opens a library; nothing where it is none of ours to use. Libraries stay open: what they return is used to the end.
std::optional<Nvrtc> open(const std::string &path) {
  static std::map<std::string, NvrtcFunctions> opened;
  NvrtcFunctions &functions = opened[path];
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::nullopt;
#define SINTER_NVRTC_FIND(type, name)                                                                                  \
  if (!findSymbol(library, #name, functions.name))                                                                     \
    return std::nullopt;
  SINTER_NVRTC_FUNCTIONS(SINTER_NVRTC_FIND)
#undef SINTER_NVRTC_FIND
  int major = 0, minor = 0, count = 0;
  if (functions.nvrtcVersion(&major, &minor) != 0 || functions.nvrtcGetNumSupportedArchs(&count) != 0)
    return std::nullopt;
  Nvrtc nvrtc{path, major * 100 + minor, std::vector<int>(static_cast<size_t>(std::max(count, 0))), &functions};
  if (functions.nvrtcGetSupportedArchs(nvrtc.archs.data()) != 0)
    return std::nullopt;
  return nvrtc;
}
} // namespace

std::vector<std::string> nvrtcFolders() {
  std::vector<std::string> folders;
  appendList(folders, "SINTER_NVRTC");
  if (!folders.empty())
    return folders;
  appendList(folders, "CUDA_HOME");
  appendList(folders, "CUDA_PATH");
  for (const std::string &toolkit : entries("/usr/local", "cuda"))
    folders.push_back(toolkit);
  appendList(folders, "LD_LIBRARY_PATH");
  for (const char *system : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(system);
  appendList(folders, "VIRTUAL_ENV");
  // The compiler of a checkout is build/bin/sinter, and scripts/setup makes .venv beside build.
  std::string own = sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&nvrtcFolders));
  for (StringRef place = sys::path::parent_path(own); !place.empty(); place = sys::path::parent_path(place))
    if (std::string environment = (place + "/.venv").str(); sys::fs::is_directory(environment))
      folders.push_back(environment);
  return folders;
}

std::vector<Nvrtc> findNvrtc(ArrayRef<std::string> folders) {
  std::vector<Nvrtc> found;
  std::set<std::string> seen;
  for (const std::string &root : folders) {
    for (const std::string &folder : libraryFolders(root)) {
      for (const std::string &path : entries(folder, "libnvrtc.so")) {
        SmallString<128> real;
        if (sys::fs::real_path(path, real) || !seen.insert(real.str().str()).second)
          continue;
        if (std::optional<Nvrtc> nvrtc = open(real.str().str()))
          found.push_back(*nvrtc);
      }
    }
  }
  llvm::stable_sort(found, [](const Nvrtc &a, const Nvrtc &b) { return a.version < b.version; });
  return found;
}

const Nvrtc *chooseNvrtc(ArrayRef<Nvrtc> found, const GpuArch &arch, Diagnostics &diagnostics) {
  std::vector<std::string> versions;
  for (const Nvrtc &nvrtc : found) {
    if (llvm::is_contained(nvrtc.archs, arch.sm))
      return &nvrtc;
    versions.push_back(nvrtc.versionText());
  }
  // What made cubins for the SM first: 11.8 up to 90, 12.9 up to 120, 13 from there on.
  const char *package = arch.sm <= 90                      ? "nvidia-cuda-nvrtc-cu11==11.8.89"
                        : arch.sm <= 103 || arch.sm >= 120 ? "nvidia-cuda-nvrtc-cu12==12.9.86"
                                                           : "nvidia-cuda-nvrtc>=13.0";
  std::string hint = std::string("'pip install ") + package + "' brings one that does; --nvrtc says where it lies";
  if (found.empty())
    diagnostics.report({Code::NvrtcMissing, "nothing here compiles device code for " + arch.name(), {}, hint});
  else
    diagnostics.report(
        {Code::NvrtcTooOld,
         "NVRTC " + join(versions, ", ") + (versions.size() == 1 ? " does" : " do") + " not know " + arch.name(),
         {},
         hint});
  return nullptr;
}

} // namespace sinter
