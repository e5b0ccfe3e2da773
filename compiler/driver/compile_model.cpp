// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a .onnx file to sources: import, conversion, passes, weights, printing. Each step is a call; what it does is in
// its own folder.
#include "driver/compile_model.h"

#include "codegen/tile_choice.h"
#include "driver/quantized_edges.h"
#include "driver/staging.h"
#include "frontend/function_body.h"
#include "frontend/mapped_file.h"
#include "ir/dialect.h"
#include "ir/work.h"
#include "memory/unbounded_sizes.h"
#include "memory/write_weights.h"
#include "passes/passes.h"
#include "passes/registry.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;

namespace sinter {
namespace {

/// Passes on node IR, while the ONNX structure is still visible.
constexpr StringRef onNodes[] = {"recognize-attention", "recognize-norms", "raise-quantizations",
                                 "recognize-quantized"};

LogicalResult runNodePasses(ModuleOp module, const PipelineOptions &options) {
  for (StringRef name : onNodes)
    if (!llvm::is_contained(options.disabledPasses, name) && failed(findPass(name)->run(module)))
      return failure();
  return success();
}

void releasePagesOf(const ModelSummary &summary) {
  for (const std::shared_ptr<llvm::MemoryBuffer> &file : summary.files)
    releasePages(*file);
}

/// Where the quantized part begins and ends, for the report.
void noteQuantization(ModuleOp module) {
  SmallVector<Attribute> quantizing, dequantizing;
  module.walk([&](NodeOp node) {
    StringRef type = node.getOpType();
    auto place = dyn_cast<NameLoc>(node.getLoc());
    if (place && (type == "QuantizeLinear" || type == "DynamicQuantizeLinear"))
      quantizing.push_back(place.getName());
    else if (place && type == "DequantizeLinear")
      dequantizing.push_back(place.getName());
  });
  if (quantizing.empty() || dequantizing.empty())
    return;
  module->setAttr("sinter.quantizing", ArrayAttr::get(module.getContext(), quantizing));
  module->setAttr("sinter.dequantizing", ArrayAttr::get(module.getContext(), dequantizing));
}

/// What MLIR says while our own code runs becomes a diagnostic: the user sees the node and a code, not a stack of
/// notes.
class MlirErrors {
public:
  explicit MlirErrors(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          ModelPlace place;
          if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
            place.node = name.getName().str();
          problems.push_back({Code::CompilerFailed, diagnostic.str(), place, "please report it with the model"});
          return success();
        }) {}

  std::vector<Problem> problems;

private:
  ScopedDiagnosticHandler handler;
};

ExitStatus failed(Diagnostics &diagnostics, const MlirErrors &errors, ExitStatus status) {
  for (const Problem &problem : errors.problems)
    diagnostics.report(problem);
  if (!diagnostics.hasErrors())
    diagnostics.report({Code::CompilerFailed,
                        "a step of the compiler failed without a message",
                        {},
                        "please report it with the model"});
  return status;
}
} // namespace

std::vector<std::string> CompiledModel::sources() const {
  std::vector<std::string> sources;
  for (const std::string &name : files)
    if (StringRef(name).ends_with(".cpp"))
      sources.push_back(name);
  return sources;
}

namespace {
ExitStatus compile(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics, CompiledModel &compiled,
                   std::optional<ArenaPeak> &tooLarge);

/// The arena that the model needs with other flags; nothing if it cannot be compiled so.
std::optional<ArenaPeak> arenaOf(CompileJob job, const Staging &staging) {
  job.codegen.arenaLimit = -1; // any arena is larger, so nothing is written
  Diagnostics unheard;
  CompiledModel compiled;
  std::optional<ArenaPeak> peak;
  compile(job, staging, unheard, compiled, peak);
  return peak;
}

/// What flags lower the arena, found by trying: it costs a few compilations, but only of models that do not fit.
std::string flagsThatLower(const CompileJob &job, int64_t bytes, const Staging &staging) {
  std::vector<std::pair<std::string, CompileJob>> trials;
  CompileJob balanced = job, ram = job, quantized = job;
  balanced.pipeline.fit = Fit::Balanced;
  ram.pipeline.fit = Fit::Ram;
  quantized.quantizedIo = true;
  if (job.pipeline.fit == Fit::Speed)
    trials.emplace_back("--fit balanced", balanced);
  if (job.pipeline.fit != Fit::Ram)
    trials.emplace_back("--fit ram", ram);
  if (!job.quantizedIo) {
    trials.emplace_back("--io quantized", quantized);
    if (job.pipeline.fit != Fit::Ram) {
      ram.quantizedIo = true;
      trials.emplace_back("--io quantized --fit ram", ram);
    }
  }
  std::string hint;
  for (const auto &[flags, trial] : trials)
    if (std::optional<ArenaPeak> needed = arenaOf(trial, staging); needed && needed->arenaBytes < bytes) {
      hint += (hint.empty() ? "" : ", ") + flags + " needs " + std::to_string(needed->arenaBytes) + " bytes";
      if (!needed->regions.empty() && needed->fits())
        hint += ", which fit";
      bytes = needed->arenaBytes;
    }
  return hint;
}

/// "the arena needs 9000 bytes, --arena-limit allows 8192".
std::string describeExcess(const ArenaPeak &peak, const CompileJob &job) {
  if (peak.regions.empty())
    return "the arena needs " + std::to_string(peak.arenaBytes) + " bytes, --arena-limit allows " +
           std::to_string(*job.codegen.arenaLimit);
  std::string text;
  for (const RamRegion &region : peak.regions)
    text += (text.empty() ? "the arena needs " : ", ") + std::to_string(region.bytes) + " bytes in " + region.name +
            (region.limit == INT64_MAX ? std::string() : " (--ram allows " + std::to_string(region.limit) + ")");
  return text;
}

void reportArena(const ArenaPeak &peak, const CompileJob &job, const Staging &staging, Diagnostics &diagnostics) {
  std::string hint = flagsThatLower(job, peak.arenaBytes, staging);
  if (!hint.empty())
    hint += "; ";
  bool hasDims = false;
  for (const auto &dim : job.import.dims)
    if (dim.getValue().min < dim.getValue().max)
      hint += (std::exchange(hasDims, true) ? ", --dim " : "smaller bounds lower it: --dim ") + dim.getKey().str();
  if (!hasDims)
    hint += "smaller inputs or feature maps where the largest of these are made lower it";
  diagnostics.report({Code::ArenaTooLarge,
                      describeExcess(peak, job) + "; most in " + peak.call + ", where there live " + peak.tensors,
                      {},
                      hint});
}

/// `tooLarge` is filled in, and nothing written, where the arena is above the limit.
ExitStatus compile(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics, CompiledModel &compiled,
                   std::optional<ArenaPeak> &tooLarge) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = importModel(job.model, job.import, context, diagnostics, &compiled.summary);
  if (!module)
    return ExitModel;
  (*module)->setAttr("sinter.model_sha256", StringAttr::get(&context, compiled.summary.sha256));

  const Target &target = job.codegen.target;
  auto count = IntegerType::get(&context, 64);
  (*module)->setAttr("sinter.tile_columns", IntegerAttr::get(count, tileFor(target).columns));
  (*module)->setAttr("sinter.vector_lanes", IntegerAttr::get(count, std::max(target.vectorBytes / 4, 4)));
  (*module)->setAttr("sinter.int_kernels", StringAttr::get(&context, target.intKernels));
  (*module)->setAttr("sinter.arena_align", IntegerAttr::get(count, target.alignment));
  (*module)->setAttr("sinter.l2_bytes", IntegerAttr::get(count, target.l2Kbytes * 1024));
  (*module)->setAttr("sinter.bytes_per_cycle", IntegerAttr::get(count, target.bytesPerCycle));
  (*module)->setAttr("sinter.threads", IntegerAttr::get(count, job.codegen.threads));

  MlirErrors errors(context);
  noteQuantization(*module);
  if (job.quantizedIo && mlir::failed(quantizeEdges(*module, job.conversion.states, diagnostics)))
    return failed(diagnostics, errors, ExitModel);
  if (mlir::failed(runNodePasses(*module, job.pipeline)))
    return failed(diagnostics, errors, ExitInternal);
  ConversionOptions conversion = job.conversion;
  conversion.expandBody = expandFunctionBody;
  if (mlir::failed(convertToTensorIR(*module, diagnostics, conversion)))
    return failed(diagnostics, errors, ExitModel);
  // Work is counted as the model gives it: all that its outputs need, before anything is optimized.
  IRRewriter rewriter(&context);
  (void)runRegionDCE(rewriter, (*module)->getRegions());
  (*module)->setAttr("sinter.macs", IntegerAttr::get(count, Work().macsIn(module->getBodyRegion())));
  if (mlir::failed(compileToPlannedIR(*module, job.pipeline))) {
    reportUnboundedSizes(*module, diagnostics);
    return diagnostics.hasErrors() ? ExitModel : failed(diagnostics, errors, ExitInternal);
  }
  releasePagesOf(compiled.summary); // folding has looked at weights
  WeightsImage weights(target.alignment);
  std::vector<GeneratedFile> files;
  auto append = [&](ArrayRef<char> bytes) {
    int64_t offset = weights.append(bytes);
    releasePagesOf(compiled.summary);
    return offset;
  };
  if (mlir::failed(writeWeights(*module, append, job.codegen.weightsInRam)) ||
      mlir::failed(generate(*module, job.codegen, weights, files, &tooLarge)))
    return failed(diagnostics, errors, ExitInternal);
  if (tooLarge)
    return ExitModel;

  for (const GeneratedFile &file : files) {
    if (llvm::Error error = staging.write(file.name, file.contents)) {
      diagnostics.report({Code::CannotWrite, llvm::toString(std::move(error)), {}, ""});
      return ExitUsage;
    }
    compiled.files.push_back(file.name);
  }
  if (hasWeightsFile(job.codegen, weights)) {
    compiled.files.push_back(weightsFileName(job.codegen));
    if (!weights.writeTo(staging.file(compiled.files.back()))) {
      diagnostics.report({Code::CannotWrite, weights.error(), {}, ""});
      return ExitUsage;
    }
  }
  return ExitOk;
}
} // namespace

ExitStatus compileModel(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics,
                        CompiledModel &compiled) {
  // A crash of the compiler must not leave half an output: the caller's staging folder is still cleaned away. Deep
  // models recurse deeply.
  constexpr unsigned stackBytes = 256u << 20;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  ExitStatus status = ExitInternal;
  bool survived = recovery.RunSafelyOnThread(
      [&] {
        std::optional<ArenaPeak> tooLarge;
        status = compile(job, staging, diagnostics, compiled, tooLarge);
        if (tooLarge)
          reportArena(*tooLarge, job, staging, diagnostics);
      },
      stackBytes);
  if (!survived) {
    diagnostics.report({Code::CompilerFailed, "the compiler crashed", {}, "please report it with the model"});
    return ExitInternal;
  }
  return status;
}

} // namespace sinter
