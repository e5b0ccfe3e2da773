// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a .onnx file to sources: import, conversion, passes, weights, printing. Each step is a call; what it does is in
// its own folder.
#include "driver/compile_model.h"

#include "driver/arena_limit.h"
#include "driver/missing_libraries.h"
#include "driver/operator_support.h"
#include "driver/quantized_edges.h"
#include "driver/signals.h"
#include "driver/staging.h"
#include "frontend/describe_nodes.h"
#include "frontend/function_body.h"
#include "frontend/mapped_file.h"
#include "ir/libraries.h"
#include "ir/work.h"
#include "memory/missing_spaces.h"
#include "memory/unbounded_sizes.h"
#include "memory/write_weights.h"
#include "passes/algebra/support/contradictions.h"
#include "pipeline/dialects.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <set>

using namespace mlir;

namespace sinter {
namespace {

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

void reportContradictions(ModuleOp module, Diagnostics &diagnostics) {
  for (cf::AssertOp assertion : contradictionsIn(module)) {
    ModelPlace place;
    if (auto name = dyn_cast<NameLoc>(assertion.getLoc()))
      place.node = name.getName().str();
    diagnostics.report({Code::ShapeMismatch, ("'" + assertion.getMsg() + "' holds for no input").str(), place,
                        "look at the sizes of what the node reads, for example with onnx.shape_inference"});
  }
}

/// What MLIR says while our own code runs becomes a diagnostic: the user sees the node and a code, not a stack of
/// notes.
class MlirErrors {
public:
  explicit MlirErrors(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          ModelPlace place;
          if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
            place.node = name.getName().str();
          if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
            remarks.insert("node '" + place.node + "' is " + diagnostic.str());
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          problems.push_back({Code::CompilerFailed, diagnostic.str(), place, "please report it with the model"});
          return success();
        }) {}

  std::vector<Problem> problems;
  std::set<std::string> remarks; ///< passes run several times on copies

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

/// Writes nothing.
std::optional<ArenaPeak> arenaOf(CompileJob job, const Staging &staging) {
  job.codegen.arenaLimit = -1;  // any arena is larger
  job.device.isEmulated = true; // nothing is to be compiled
  job.pipeline.observe = nullptr;
  job.pipeline.dumpAfter.clear();
  job.pipeline.dumpChoices = false;
  job.pipeline.timePasses = false;
  Diagnostics unheard;
  CompiledModel compiled;
  std::optional<ArenaPeak> peak;
  compile(job, staging, unheard, compiled, peak);
  return peak;
}

/// `tooLarge` is filled in, and nothing written, where the arena is above the limit.
ExitStatus compile(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics, CompiledModel &compiled,
                   std::optional<ArenaPeak> &tooLarge) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = importModel(job.model, job.import, context, diagnostics, &compiled.summary);
  if (!module) {
    reportUnsupported(compiled.summary.inventory, diagnostics);
    return ExitModel;
  }
  llvm::StringMap<std::string> nodes = describeNodes(*module);
  (*module)->setAttr("sinter.model_sha256", StringAttr::get(&context, compiled.summary.sha256));

  const Target &target = job.codegen.target;
  PassContext passContext{target,
                          job.pipeline.fit,
                          job.pipeline.requant,
                          {job.codegen.threads},
                          {job.pipeline.foldSteps},
                          {job.pipeline.rowTilingBytes}};
  noteContext(*module, passContext);

  MlirErrors errors(context);
  if (mlir::failed(applyForms(*module, job.forms, diagnostics)))
    return ExitModel;
  noteQuantization(*module);
  PassRunner runner(job.pipeline, std::move(passContext));
  if (job.quantizedIo && mlir::failed(quantizeEdges(*module, job.conversion.states, runner, diagnostics)))
    return failed(diagnostics, errors, ExitModel);
  if (mlir::failed(simplifyNodes(*module, runner)))
    return failed(diagnostics, errors, ExitInternal);
  ConversionOptions conversion = job.conversion;
  conversion.expandBody = expandFunctionBody;
  conversion.strict = job.import.strict;
  conversion.mostUnrolled = job.import.limits.expanded(compiled.summary.nodes);
  auto convert = [&] {
    LogicalResult converted = convertToTensorIR(*module, diagnostics, conversion);
    IRRewriter rewriter(&context);
    (void)runRegionDCE(rewriter, (*module)->getRegions()); // what no output needs
    return converted;
  };
  if (mlir::failed(runner.run("convert-nodes", *module, convert))) {
    reportUnsupported(compiled.summary.inventory, diagnostics);
    return failed(diagnostics, errors, ExitModel);
  }
  // Work is counted as the model gives it, before anything is optimized.
  (*module)->setAttr("sinter.macs", Builder(&context).getI64IntegerAttr(Work().macsIn(module->getBodyRegion())));
  LogicalResult planned = compileToPlannedIR(*module, job.pipeline, runner);
  for (const std::string &remark : errors.remarks)
    diagnostics.note(remark);
  for (const std::string &pass : runner.notDumped())
    diagnostics.note("--dump-after=" + pass + ": that pass did not run");
  reportContradictions(*module, diagnostics);
  reportUnboundedSizes(*module, diagnostics); // also of outputs, for which the plan needs no size
  if (diagnostics.hasErrors())
    return ExitModel;
  if (mlir::failed(planned))
    return failed(diagnostics, errors, ExitInternal);
  releasePagesOf(compiled.summary); // folding has looked at weights
  WeightsImage weights(target.alignment);
  std::vector<GeneratedFile> files;
  auto append = [&](ArrayRef<char> bytes, Type element) {
    int64_t offset = weights.append(bytes, numbersOf(element));
    releasePagesOf(compiled.summary);
    return offset;
  };
  if (reportMissingSpaces(*module, target, diagnostics) || reportMissingLibraries(*module, target, diagnostics))
    return ExitModel;
  compiled.libraries = librariesIn(*module);
  CodegenOptions codegen = job.codegen;
  codegen.nodes = std::move(nodes);
  codegen.compileDevice = [&](const GeneratedFile &source, ArrayRef<DeviceKernelUse> kernels) {
    FailureOr<DeviceBuild> build = compileDeviceImages(target, source, kernels, job.device, staging, diagnostics);
    if (succeeded(build))
      for (const DeviceImageFile &image : build->files)
        compiled.files.push_back(image.file);
    return build;
  };
  if (mlir::failed(writeWeights(*module, append, diagnostics, target.alignment, job.codegen.weightsInRam)) ||
      mlir::failed(generate(*module, codegen, weights, files, &tooLarge)))
    return diagnostics.hasErrors() ? ExitModel : failed(diagnostics, errors, ExitInternal);
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

namespace {
/// Whether --fit speed makes the sources that --fit balanced makes.
bool gainsNothing(CompileJob job, const Staging &made, const CompiledModel &compiled) {
  auto other = Staging::temporary();
  if (!other) {
    consumeError(other.takeError());
    return false;
  }
  job.pipeline.fit = Fit::Balanced;
  job.pipeline.observe = nullptr;
  job.pipeline.dumpAfter.clear();
  job.pipeline.dumpChoices = job.pipeline.timePasses = false;
  Diagnostics unheard;
  CompiledModel balanced;
  std::optional<ArenaPeak> tooLarge;
  if (compile(job, **other, unheard, balanced, tooLarge) != ExitOk)
    return false;
  return llvm::all_of(compiled.sources(), [&](const std::string &name) {
    auto ours = llvm::MemoryBuffer::getFile(made.file(name)),
         theirs = llvm::MemoryBuffer::getFile((*other)->file(name));
    return ours && theirs && (*ours)->getBuffer() == (*theirs)->getBuffer();
  });
}
} // namespace

ExitStatus compileModel(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics,
                        CompiledModel &compiled) {
  // A crash ends the program, whose handlers clean up; only a program without handlers, which compiles many models,
  // goes on. Deep models recurse deeply.
  constexpr unsigned stackBytes = 256u << 20;
  if (!handlesSignals())
    llvm::CrashRecoveryContext::Enable();
  nameModelInCrashes(job.model);
  llvm::CrashRecoveryContext recovery;
  ExitStatus status = ExitInternal;
  bool survived = recovery.RunSafelyOnThread(
      [&] {
        SignalStack signalStack;
        auto trial = [&](const CompileJob &other) { return arenaOf(other, staging); };
        std::optional<ArenaPeak> tooLarge;
        auto attempt = [&](const CompileJob &given) {
          diagnostics = {};
          compiled = {};
          tooLarge.reset();
          status = compile(given, staging, diagnostics, compiled, tooLarge);
        };
        attempt(job);
        if (tooLarge)
          if (std::optional<CompileJob> tiled = withRowTilesThatFit(job, trial))
            attempt(*tiled);
        if (tooLarge)
          diagnostics.report(describeExcess(*tooLarge, job, trial));
        if (status == ExitOk && job.saysWhatSpeedGains && gainsNothing(job, staging, compiled))
          diagnostics.note("--fit speed finds nothing that is faster here: the code is that of --fit balanced");
      },
      stackBytes);
  if (!survived) {
    diagnostics.report({Code::CompilerFailed, "the compiler crashed", {}, "please report it with the model"});
    return ExitInternal;
  }
  return status;
}

} // namespace sinter
