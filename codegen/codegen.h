// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planned IR -> what the user gets. docs/output-format.md says what it is; generate.cpp is the way through.
#pragma once

#include "codegen/abi/session_plan.h"
#include "codegen/bodies/index_check.h"
#include "codegen/weights/weights_image.h"
#include "memory/arenas.h"
#include "mlir/IR/BuiltinOps.h"
#include "target/target.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <functional>
#include <map>

namespace sinter {

struct GeneratedFile {
  std::string name, contents;
};

/// Device code, compiled: a file beside the sources.
struct DeviceImageFile {
  int sm = 0;
  bool isPtx = false, isPortable = false; ///< runtime-lite/cuda/images.h
  std::string file;
};

/// A kernel as it is launched.
struct DeviceKernelUse {
  std::string name, nodes; ///< of ONNX, a line each
  int64_t threads = 0;     ///< of a block
  int64_t sharedBytes = 0; ///< of a block, beside what the kernel declares
};

/// What a kernel takes of an SM, and how many of its blocks one holds.
struct KernelOnSm {
  int sm = 0;
  int64_t registers = 0;                              ///< of a thread
  int64_t sharedBytes = 0;                            ///< of a block, all of it
  int64_t stack = 0, spillStores = 0, spillLoads = 0; ///< bytes of a thread
  int64_t blocks = 0, occupancy = 0;                  ///< per SM; threads in per cent of what it holds
  std::string limit;                                  ///< what there is least of: "registers"
};

/// Device code, compiled.
struct DeviceBuild {
  std::vector<DeviceImageFile> files;
  std::vector<std::string> compilers;           ///< per file: "NVRTC 11.8"
  std::vector<std::vector<KernelOnSm>> kernels; ///< per kernel, one for each SM; empty where nothing was compiled
};

/// What a package says of itself.
struct PackageInfo {
  std::string version = "1.0.0", author = "unknown", url,
              description, ///< empty: what the package's kind says of itself
      instances = "1",     ///< of a server: how many calls run at the same time
      modelVersion = "1";  ///< the number by which a server knows it
};

/// Kernels that take subnormal floats for zeros: none; those that sum products, where they are less than the sum's
/// rounding unless all of it is as small; all.
enum class Subnormals { Exact, Products, Zero };

struct CodegenOptions {
  std::string prefix = "model";
  std::string optimization = "2"; ///< -O of builds that are not sinter's, where these do not say it themselves
  /// "incbin", "cpp", "numbers", "file" or "section:NAME".
  std::string weights = "incbin";
  /// How many bytes of the weights, those that are read most, go with the initialized variables (--weights-in-ram).
  int64_t weightsInRam = 0;
  Target target;
  /// CPUs that have more than the target, in order: each has code of its own (run/cpus.h).
  std::vector<Target> otherCpus;
  /// "sinter 0.1.0", for sinter_model_info.
  std::string compiler;
  IndexCheck indexCheck = IndexCheck::Error;
  bool vectorize = true;
  /// Of a register that loops go through in lanes; 1 where all lanes are but one, 0 where none are wanted (-O0).
  int vectorBytes() const { return vectorize ? std::max<int>(1, target.vectorBytes) : 0; }
  /// The most shares that a kernel's work is split into, for the caller's pool.
  int threads = 1;
  /// Operations from which on a kernel is worth waking threads for.
  int64_t leastSharedWork = 1 << 17;
  /// --fast: liberties that the contract does not take. givenUp() says which.
  bool fast = false;
  /// Which kernels take floats below 2^-126 for zeros, where the target computes slowly with them.
  Subnormals subnormals = Subnormals::Products;
  /// --library-text header: the library's text is a file beside the source.
  bool hasLibraryFile = false;
  /// --example: also kws_example.c.
  bool example = false;
  /// Of a decoder: also kws_session.h and kws_session.cpp.
  std::optional<SessionPlan> session;
  /// --package, "" for none: one of packages/packages.def. "npm": also what a package has besides the module of
  /// WebAssembly (wasm/wasm_package.h).
  std::string package;
  PackageInfo packageInfo;
  /// What statuses mean, from 0 on, for the package's script.
  std::vector<std::string> statusTexts;
  /// The most bytes that the arena may have.
  std::optional<int64_t> arenaLimit;
  /// Of a GPU: compiles the device source; on failure a diagnostic has been given. Without it
  /// the program has no images.
  std::function<mlir::FailureOr<DeviceBuild>(const GeneratedFile &source, llvm::ArrayRef<DeviceKernelUse> kernels)>
      compileDevice;
  /// What nodes are, by name, for comments: "Conv (strides 2 2)".
  llvm::StringMap<std::string> nodes;
  /// Of custom operators: by a header's name it and the files that go along.
  std::map<std::string, std::vector<GeneratedFile>> userHeaders;
  /// A folder that holds templates/ and runtime-lite/, to be read instead of the embedded ones (development).
  std::string templatesFolder;
};

/// The prefix that names and files get where this one is wished for: no keyword, macro, function, type or header of C
/// and POSIX.
std::string legalPrefix(llvm::StringRef wish);

/// What --fast gives up.
llvm::StringRef givenUp();

/// Where most of the arena is needed, for a user whose device has less.
struct ArenaPeak {
  int64_t arenaBytes = 0;
  std::string call;           ///< function and nodes
  std::string tensors;        ///< the largest that live there
  std::vector<Arena> regions; ///< --ram: what each has, and what it may

  bool fits() const {
    return llvm::all_of(regions, [](const Arena &region) { return region.bytes <= region.limit; });
  }
};

/// Adds kws.h, kws.hpp, kws.cpp, kws_example.c (if wished for), kws.cmake, kws.flags, kws.libs (if there are any) and
/// the reports to `files`. Behind the first of `planned` there may be exact copies of it, for some sizes of its dims
/// (run/programs.h); then as many for each of `otherCpus`. `weights` is complete (each sinter.constant has its offset);
/// in the forms incbin and file the caller writes it beside them as weightsFileName(). On failure a diagnostic says
/// what has no form in C++. `tooLarge` is filled in where the arena, or a region of it, is above the limit.
mlir::LogicalResult generate(llvm::ArrayRef<mlir::ModuleOp> planned, const CodegenOptions &options,
                             WeightsImage &weights, std::vector<GeneratedFile> &files,
                             std::optional<ArenaPeak> *tooLarge = nullptr);

/// "kws_weights.bin".
std::string weightsFileName(const CodegenOptions &options);
/// Whether the weights are a file of their own.
bool hasWeightsFile(const CodegenOptions &options, const WeightsImage &weights);

} // namespace sinter
