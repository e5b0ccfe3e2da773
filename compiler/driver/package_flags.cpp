// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/package_flags.h"

#include "codegen/packages/edited.h"
#include "driver/model_program.h"
#include "runtime-lite/types.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr size_t mostBytesAboveSum = 4096;

/// As a word of its own, in either case: registries want names in lower case.
bool names(StringRef path, StringRef prefix) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return false;
  std::string text = (*buffer)->getBuffer().lower(), name = prefix.lower();
  auto isPart = [&](size_t at) { return at < text.size() && (isAlnum(text[at]) || text[at] == '_'); };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if (!isPart(at - 1) && !isPart(at + name.size()))
      return true;
  return false;
}
} // namespace

bool keepEdited(StringRef folder, const Staging &made, std::vector<std::string> &files, Diagnostics &diagnostics) {
  bool mayGoOn = true;
  auto isKept = [&](const std::string &file) {
    std::string place = (folder + "/" + file).str();
    auto before = MemoryBuffer::getFile(place), now = MemoryBuffer::getFile(made.file(file));
    std::optional<std::string> sum =
        now ? recordedSum((*now)->getBuffer().take_front(mostBytesAboveSum)) : std::nullopt;
    if (!before || !sum)
      return false;
    std::optional<std::string> sumBefore = recordedSum((*before)->getBuffer());
    if (sumBelow((*before)->getBuffer()) == sumBefore.value_or(*sum))
      return false;
    if (sumBefore != sum) {
      printError(place + " was edited, and is to be another now",
                 "move it away, compile again, and put your changes into the new one");
      mayGoOn = false;
    } else {
      diagnostics.note(place + " was edited, and stays as it is");
    }
    return true;
  };
  llvm::erase_if(files, isKept);
  return mayGoOn;
}

bool mayReplace(StringRef folder, const Staging &made, ArrayRef<std::string> files, StringRef prefix) {
  for (const std::string &file : files) {
    std::string place = (folder + "/" + file).str();
    if (StringRef(file).contains(prefix) || !sys::fs::exists(place) || !names(made.file(file), prefix) ||
        names(place, prefix))
      continue;
    printError(place + " is of something else than the package of " + prefix,
               "-o takes a folder for each package; delete that file if it is not needed");
    return false;
  }
  return true;
}

/// Whether it is one of the machines that Triton Inference Server runs on.
static bool isServer(const Target &target) {
  const Triple triple(Triple::normalize(target.triple));
  return !target.portable && triple.isArch64Bit() && triple.isOSLinux() && !triple.isAndroid();
}

bool PackageFlags::toJob(const CompileFlags &flags, bool isFolder, CompileJob &job) const {
  auto fail = [](const Twine &message, const Twine &hint = "") {
    printError(message, hint);
    return false;
  };
  CodegenOptions &codegen = job.codegen;
  const Target &target = codegen.target;
  const PackageKind *kind = llvm::find_if(packageKinds(), [&](const PackageKind &k) { return k.name == package; });
  if (!package.empty() && kind == packageKinds().end())
    return fail("--package " + package + " is none of " + packageNames(", "));
  if (!package.empty() && !isFolder)
    return fail("--package makes a folder", "give -o a name without an ending");
  if (!package.empty() && (package == "npm") != target.isWebAssembly())
    return fail("--package " + package + " means nothing for " + target.name,
                target.isWebAssembly() ? "a module of WebAssembly is a package of npm" : "npm takes --target wasm32");
  if (!package.empty() && target.isGpu())
    return fail("--package means nothing for " + target.name, "-o lib" + codegen.prefix + ".a makes a library");
  if (!package.empty() && !kind->isFor(target))
    return fail("--package " + package + " means nothing for " + target.name,
                "--target says which machine its boards have, such as " +
                    Twine(kind->machines == "riscv" ? "rv32imc" : "cortex-m4") + "; generic32 is for all");
  codegen.package = target.isWebAssembly() && isFolder ? "npm" : package.getValue();
  if (codegen.package.empty() && !info.empty())
    return fail("--package-info goes with --package");
  for (const std::string &text : info)
    if (std::optional<std::string> problem = readPackageInfo(text, codegen.packageInfo))
      return fail("--package-info: " + *problem);
  if (codegen.package == "npm") {
    for (int status = SINTER_OK; status <= SINTER_INVALID_DATA; ++status)
      codegen.statusTexts.push_back(statusText(status).str());
    return true;
  }
  if (codegen.package.empty())
    return true;
  if (codegen.package == "triton") {
    if (!isServer(target))
      return fail("--package triton means nothing for " + target.name, "the server runs on 64-bit machines with Linux");
    if (flags.ioInArena || !flags.ram.empty() || codegen.threads > 1)
      return fail(
          "--package triton goes with none of --io-in-arena, --ram, --threads",
          "an instance has buffers of its own and is called by one thread; --package-info instances=4 makes more");
    if (codegen.weights == "file" || StringRef(codegen.weights).starts_with("section:"))
      return fail("--weights " + codegen.weights + " does not go with --package triton", "the library carries them");
    return true;
  }
  if (flags.weights.empty() && !target.portable)
    codegen.weights = "cpp";
  if (!codegen.otherCpus.empty())
    return fail("--package takes one target", "a build system of others compiles all sources with the same flags");
  if (codegen.weights != "cpp" && codegen.weights != "numbers")
    return fail("--weights " + codegen.weights + " does not go with --package " + package,
                "a package is sources alone: weights are cpp or numbers in them");
  if (codegen.example)
    return fail("--example does not go with --package", "the package has an example of its own");
  return true;
}

} // namespace sinter
