// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling and linking without a C library: what generated code asks for are the mem functions, most of which are
// instructions here. Functions of the user's own may ask for more, and get wasi-libc where it is installed.
#include "driver/npm_package.h"

#include "codegen/packages/triton.h"
#include "codegen/wasm/wasm_package.h"
#include "driver/file_contents.h"
#include "driver/measure.h"
#include "driver/model_program.h"
#include "target/shared_memory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace sinter {

bool reportUnpackaged(mlir::ModuleOp planned, const CodegenOptions &options, int64_t weightsBytes,
                      Diagnostics &diagnostics) {
  FailureOr<Interface> interface = readInterface(planned, "");
  if (failed(interface))
    return false; // it is said elsewhere
  bool isServed = options.package == "triton";
  std::string which = isServed ? unservedTensor(*interface) : unpackagedTensor(*interface);
  if (!which.empty()) {
    diagnostics.report(
        {Code::UnsupportedInput,
         which + (isServed ? ", which Triton's protocol does not carry" : ", which an npm package does not carry"),
         {},
         "-o lib" + options.prefix + ".a makes a library with the C interface, for a " +
             (isServed ? "server" : "module") + " of your own"});
    return true;
  }
  if (isServed)
    return false;
  // LLVM's objects count offsets of data with signs. The stack comes on top.
  constexpr int64_t most = (int64_t(1) << 31) - (int64_t(1) << 21);
  int64_t bytes = wasmMemoryBytes(*interface, weightsBytes);
  if (bytes <= most)
    return false;
  diagnostics.report({Code::ArenaTooLarge,
                      "the memory of an instance, " + std::to_string(bytes) +
                          " bytes, is more than the 2 GiB that a module of " + options.target.name + " holds",
                      {},
                      "smaller dims, or --fit ram, make the arena smaller, `sinter quantize` the weights"});
  return true;
}

Expected<std::string> findWasmLinker(const Cxx &cxx) {
  StringRef name = sys::path::filename(cxx.program);
  size_t dash = name.rfind('-'); // clang++-19 goes with wasm-ld-19
  std::vector<std::string> candidates = {"wasm-ld"};
  if (dash != StringRef::npos)
    candidates.insert(candidates.begin(), "wasm-ld" + name.substr(dash).str());
  for (const std::string &candidate : candidates)
    if (ErrorOr<std::string> found = sys::findProgramByName(candidate))
      return *found;
  return createStringError(std::make_error_code(std::errc::no_such_file_or_directory),
                           "no linker for WebAssembly: looked for " + join(candidates, ", "));
}

/// Bytes of the stack, which lies below all else: who needs more ends in a trap. Without a bound: as much as Linux
/// gives a thread of musl's ten times.
static int64_t stackBytes(ArrayRef<std::string> objects) {
  constexpr int64_t least = 16384, unbounded = 1 << 20, script = 1024;
  std::optional<int64_t> bound = measure(objects).stackBytes;
  return bound ? std::max<int64_t>(least, alignTo(static_cast<uint64_t>(*bound + script), 1024)) : unbounded;
}

/// Pages of the memory that a module imports, its only import: sections are a number, their size and bytes.
static std::optional<uint64_t> pagesOf(StringRef module) {
  constexpr unsigned header = 8, imports = 2, isMemory = 2;
  const DataExtractor bytes(module, /*IsLittleEndian=*/true, /*AddressSize=*/4);
  DataExtractor::Cursor at(header);
  while (at && !bytes.eof(at)) {
    const unsigned id = bytes.getU8(at);
    const uint64_t size = bytes.getULEB128(at), begin = at.tell();
    if (id != imports) {
      bytes.skip(at, size);
      continue;
    }
    bytes.getULEB128(at);                  // how many
    bytes.skip(at, bytes.getULEB128(at));  // of which module
    bytes.skip(at, bytes.getULEB128(at));  // its name
    const unsigned kind = bytes.getU8(at); // what it is
    bytes.getU8(at);                       // which limits it has
    const uint64_t pages = bytes.getULEB128(at);
    if (at && kind == isMemory && at.tell() <= begin + size)
      return pages;
    break;
  }
  consumeError(at.takeError());
  return std::nullopt;
}

Error makeWasmModule(const Cxx &cxx, StringRef linker, const Staging &staging, ArrayRef<std::string> sources,
                     const CodegenOptions &options) {
  bool isAlone = options.userHeaders.empty();
  std::vector<std::string> flags = measuringFlags(cxx);
  if (isAlone) {
    std::string headers = staging.file("headers");
    if (std::error_code code = sys::fs::create_directory(headers))
      return createStringError(code, headers + ": " + code.message());
    if (Error error = staging.write("headers/string.h", wasmStringHeader()))
      return error;
    flags.insert(flags.end(), {"-isystem", headers});
  }
  Expected<std::vector<std::string>> objects = cxx.compile(staging.folder(), sources, flags);
  if (!objects)
    return objects.takeError();
  std::string module = options.prefix + ".wasm";
  std::vector<std::string> arguments = {"--ld-path=" + linker.str(), "-nostartfiles", "-o", staging.file(module)};
  arguments.insert(arguments.end(), objects->begin(), objects->end());
  if (isAlone) {
    Expected<std::vector<std::string>> memory = compileMemory(cxx, staging.folder());
    if (!memory)
      return memory.takeError();
    arguments.insert(arguments.end(), memory->begin(), memory->end());
    arguments.push_back("-nostdlib");
  }
  const bool isShared = sharesMemory(options.target);
  const int64_t stacks = stackBytes(*objects) * (isShared ? options.threads : 1);
  arguments.insert(arguments.end(),
                   {"-Wl,--no-entry", "-Wl,--stack-first", "-Wl,-z,stack-size=" + std::to_string(stacks),
                    "-Wl,--gc-sections", "-Wl,--strip-all", "-Wl,-O2"});
  if (isShared) // how far the memory may grow, the script says, which makes it
    arguments.insert(arguments.end(), {"-Wl,--max-memory=4294967296", "-Wl,--shared-memory", "-Wl,--import-memory",
                                       "-Wl,--export-memory", "-Wl,--export=__stack_pointer"});
  if (Error error = cxx.run(arguments))
    return error;
  Measured measured = measure(*objects);
  measured.codeBytes = sectionsOf(fileContents(staging.file(module))).code;
  writeMeasured(staging, options.prefix, measured, sys::path::filename(cxx.program));
  std::string script = options.prefix + ".mjs", text = fileContents(staging.file(script));
  size_t at = text.find(unknownWasmBytes);
  assert(at != std::string::npos && "the script has the module's size");
  text.replace(at, unknownWasmBytes.size(),
               "\"wasmBytes\": " + std::to_string(fileContents(staging.file(module)).size()) + ",");
  if (isShared) {
    std::optional<uint64_t> pages = pagesOf(fileContents(staging.file(module)));
    if (!pages)
      return createStringError(std::make_error_code(std::errc::invalid_argument), module + ": imports no memory");
    at = text.find(unknownPages);
    assert(at != std::string::npos && "the script has the memory's size");
    text.replace(at, unknownPages.size(), "\"pages\": " + std::to_string(*pages) + ",");
  }
  return staging.write(script, text);
}

std::vector<std::string> packageFiles(ArrayRef<std::string> made, const CodegenOptions &options) {
  std::vector<std::string> files;
  for (const std::string &name : made) {
    StringRef ending = sys::path::extension(name);
    if (ending == ".mjs" || ending == ".mts" || ending == ".json" || ending == ".md" || ending == ".txt" ||
        (options.weights == "file" && name == weightsFileName(options)))
      files.push_back(name);
  }
  files.push_back(options.prefix + ".wasm");
  return files;
}

} // namespace sinter
