// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/emulated_gpu.h"

#include "cuda/gpu.h"
#include "driver/file_contents.h"
#include "driver/object_cache.h"
#include "support/embedded.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace llvm;

namespace sinter {
namespace emulation {
extern const EmbeddedFile embedded[];
}

namespace {
Error writeText(const Twine &path, const Twine &text) {
  if (std::error_code code = sys::fs::create_directories(sys::path::parent_path(path.str())))
    return createStringError(code, path + ": " + code.message());
  return writeFile(path, text.str());
}
} // namespace

std::optional<std::string> gpuName() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::nullopt;
  auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  auto deviceCount = reinterpret_cast<int (*)(int *)>(dlsym(library, "cuDeviceGetCount"));
  auto nameOf = reinterpret_cast<int (*)(char *, int, int)>(dlsym(library, "cuDeviceGetName"));
  int count = 0;
  if (!init || !deviceCount || init(0) != 0 || deviceCount(&count) != 0 || count == 0)
    return std::nullopt;
  char name[256] = "";
  if (nameOf)
    nameOf(name, sizeof(name) - 1, 0);
  return name[0] ? name : "a GPU without a name";
}

static std::vector<std::string> flagsFor(StringRef folder) {
  return {"-fvisibility=hidden", "-frtti", "-fexceptions", "-w", "-I", (folder + "/runtime-lite/emulation").str(), "-I",
          folder.str()};
}

Expected<Emulation> compileEmulation(const Cxx &cxx, StringRef folder) {
  Emulation emulation{folder.str(), {}};
  std::string all; // as one source: each by itself would read the same headers
  for (const EmbeddedFile *file = emulation::embedded; file->name; ++file) {
    if (Error error = writeText(folder + "/" + file->name, file->text))
      return std::move(error);
    if (StringRef(file->name).ends_with(".cpp"))
      all += "#include \"" + std::string(file->name) + "\"\n";
  }
  constexpr char name[] = "emulation.cpp";
  if (Error error = writeText(folder + "/" + name, all))
    return std::move(error);
  Expected<std::vector<std::string>> objects = compileCached(cxx, folder, {name}, flagsFor(folder));
  if (!objects)
    return objects.takeError();
  emulation.objects = std::move(*objects);
  return emulation;
}

Expected<std::string> buildEmulatedGpu(const Cxx &cxx, const Target &target, StringRef folder, StringRef prefix,
                                       const Emulation &emulation) {
  const GpuArch &arch = *findGpuArch(target.sms.back());
  std::string device = "{" + std::to_string(arch.sm) + (arch.isTegra ? ", true}" : ", false}");
  std::string own = (folder + "/emulated").str();
  std::string kernels = "#include \"runtime-lite/emulation/emulation.h\"\n"
                        "#include \"../" +
                        prefix.str() +
                        ".cu\"\n"
                        "#include \"runtime-lite/emulation/program.h\"\n"
                        "#define ENTRY(name) {#name, sinter::name},\n"
                        "namespace {\n"
                        "const sinter::cuda::emulation::EmulatedKernels kernels(" +
                        device +
                        ", {SINTER_KERNELS(ENTRY)});\n"
                        "}\n";
  if (Error error = writeText(own + "/kernels.cpp", kernels))
    return std::move(error);
  Expected<std::vector<std::string>> objects = cxx.compile(own, {"kernels.cpp"}, flagsFor(emulation.folder));
  if (!objects)
    return objects.takeError();
  std::string library = own + "/libcuda.so";
  std::vector<std::string> arguments = cxx.fastLinker();
  arguments.insert(arguments.end(), {"-shared", "-o", library});
  arguments.insert(arguments.end(), objects->begin(), objects->end());
  arguments.insert(arguments.end(), emulation.objects.begin(), emulation.objects.end());
  if (Error error = cxx.run(arguments))
    return std::move(error);
  return library;
}

} // namespace sinter
