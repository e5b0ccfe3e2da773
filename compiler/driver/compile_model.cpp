// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a .onnx file to sources: planned IR (plan_model.h), that of exact copies too, weights, printing. Each step is a
// call; what it does is in its own folder.
#include "driver/compile_model.h"

#include "driver/read_adapters.h"

#include "codegen/abi/abi_header.h"
#include "codegen/abi/session.h"
#include "driver/arena_limit.h"
#include "driver/decoder_job.h"
#include "driver/draft_job.h"
#include "driver/exact_copies.h"
#include "driver/missing_libraries.h"
#include "driver/mlir_errors.h"
#include "driver/npm_package.h"
#include "driver/plan_model.h"
#include "driver/signals.h"
#include "driver/staging.h"
#include "frontend/mapped_file.h"
#include "ir/libraries.h"
#include "memory/missing_spaces.h"
#include "memory/write_weights.h"
#include "pipeline/dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;

namespace sinter {
namespace {

void releasePagesOf(const ModelSummary &summary) {
  for (const std::shared_ptr<llvm::MemoryBuffer> &file : summary.files)
    releasePages(*file);
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
  std::vector<PlannedModel> planned;
  ExitStatus status = planPrograms(job, context, diagnostics, planned);
  compiled.summary = planned.front().summary;
  compiled.inputHints = planned.front().inputHints;
  if (status != ExitOk)
    return status;
  SmallVector<ModuleOp> modules;
  for (PlannedModel &program : planned)
    modules.push_back(*program.module);

  const Target &target = job.codegen.target;
  auto releasePages = [&] {
    for (const PlannedModel &program : planned)
      releasePagesOf(program.summary);
  };
  releasePages(); // folding has looked at weights
  MlirErrors errors(context);
  WeightsImage weights(target.alignment);
  std::vector<GeneratedFile> files;
  auto append = [&](ArrayRef<char> bytes, Type element) {
    int64_t offset = weights.append(bytes, numbersOf(element));
    releasePages();
    return offset;
  };
  for (ModuleOp each : modules)
    if (reportMissingSpaces(each, target, diagnostics) || reportMissingLibraries(each, target, diagnostics))
      return ExitModel;
  compiled.libraries = librariesIn(modules.front());
  CodegenOptions codegen = job.codegen;
  codegen.nodes = std::move(planned.front().nodes);
  codegen.compileDevice = [&](const GeneratedFile &source, ArrayRef<DeviceKernelUse> kernels) {
    FailureOr<DeviceBuild> build = compileDeviceImages(target, source, kernels, job.device, staging, diagnostics);
    if (succeeded(build))
      for (const DeviceImageFile &image : build->files)
        compiled.files.push_back(image.file);
    return build;
  };
  const bool areWritten =
      succeeded(writeWeights(modules, append, diagnostics, target.alignment, job.codegen.weightsInRam));
  if (areWritten && (job.codegen.package == "npm" || job.codegen.package == "triton") &&
      reportUnpackaged(modules.front(), job.codegen, weights.size(), diagnostics))
    return ExitModel;
  if (!areWritten || mlir::failed(generate(modules, codegen, weights, files, &tooLarge))) {
    if (!weights.error().empty()) {
      diagnostics.report({Code::CannotWrite,
                          "the weights do not go into a temporary file: " + weights.error(),
                          {},
                          "TMPDIR names another folder for such files"});
      return ExitUsage;
    }
    return diagnostics.hasErrors() ? ExitModel : failed(diagnostics, errors, ExitInternal);
  }
  if (tooLarge)
    return ExitModel;

  ModelNames names(job.codegen.prefix);
  if (FailureOr<Interface> interface = readInterface(modules.front(), (names.macro.text() + "_").str());
      succeeded(interface))
    compiled.interface = std::move(*interface);
  compiled.weightsBytes = weights.size();
  for (const GeneratedFile &file : files) {
    if (llvm::Error error = staging.write(file.name, file.contents)) {
      diagnostics.report({Code::CannotWrite, llvm::toString(std::move(error)), {}, ""});
      return ExitUsage;
    }
    compiled.files.push_back(file.name);
  }
  if (hasWeightsFile(job.codegen, weights)) {
    compiled.files.push_back(weightsFileName(job.codegen));
    std::string path = staging.file(compiled.files.back());
    if (std::error_code code = weights.writeTo(path)) {
      diagnostics.report({Code::CannotWrite, path + ": " + code.message(), {}, ""});
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

namespace {
struct WeightsPart {
  std::string file;
  int64_t bytes;
};

/// The weights of several programs become one file, that of the decoder, in this order. Each begins behind as many
/// bytes as those before it take (weightsPlace in codegen/abi/session.h).
ExitStatus joinWeights(ArrayRef<WeightsPart> parts, const std::string &own, const Staging &staging,
                       Diagnostics &diagnostics, CompiledModel &compiled) {
  std::string joined;
  size_t end = 0;
  for (const WeightsPart &part : parts) {
    joined.resize(end);
    if (auto file = llvm::MemoryBuffer::getFile(staging.file(part.file), false, false); part.bytes > 0 && file)
      joined += (*file)->getBuffer();
    end += static_cast<size_t>(weightsPlace(part.bytes));
    llvm::erase(compiled.files, part.file);
  }
  compiled.files.push_back(own);
  if (llvm::Error error = staging.write(own, joined)) {
    diagnostics.report({Code::CannotWrite, llvm::toString(std::move(error)), {}, ""});
    return ExitUsage;
  }
  return ExitOk;
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
        CompileJob settled = job;
        diagnostics = {};
        std::vector<std::string> partFiles, partLibraries, partInputs;
        if (status = readAdapters(settled, diagnostics, partInputs); status != ExitOk)
          return;
        std::vector<WeightsPart> parts;
        auto compilePart = [&](const CompileJob &part, CompiledModel &made) {
          std::optional<ArenaPeak> tooLarge;
          ExitStatus done = compile(part, staging, diagnostics, made, tooLarge);
          if (tooLarge)
            diagnostics.report(
                describeExcess(*tooLarge, part, [&](const CompileJob &other) { return arenaOf(other, staging); }));
          parts.push_back({weightsFileName(part.codegen), made.weightsBytes});
          llvm::append_range(partFiles, made.files);
          llvm::append_range(partLibraries, made.libraries);
          partInputs.push_back(part.model);
          for (const ModelSummary::ExternalFile &file : made.summary.externalFiles)
            partInputs.push_back(file.path);
          return done;
        };
        if (status = settleDecoder(settled, diagnostics, compilePart); status != ExitOk)
          return;
        bool hasDraft = settled.decoder && !settled.decoder->draft.empty();
        if (hasDraft)
          if (status = addDraft(settled, compilePart, diagnostics); status != ExitOk)
            return;
        const Diagnostics ofParts = diagnostics;
        auto trial = [&](const CompileJob &other) { return arenaOf(other, staging); };
        std::optional<ArenaPeak> tooLarge;
        auto attempt = [&](const CompileJob &given) {
          diagnostics = ofParts;
          compiled = {};
          tooLarge.reset();
          status = compile(given, staging, diagnostics, compiled, tooLarge);
        };
        attempt(settled);
        if (tooLarge)
          if (std::optional<CompileJob> tiled = withRowTilesThatFit(settled, trial))
            attempt(*tiled);
        if (tooLarge)
          diagnostics.report(describeExcess(*tooLarge, settled, trial));
        llvm::append_range(compiled.files, partFiles);
        compiled.otherInputs = std::move(partInputs);
        compiled.session = settled.codegen.session;
        if (status == ExitOk && !parts.empty() && settled.codegen.weights == "file") {
          std::string own = weightsFileName(settled.codegen); // a session looks for what is before it, not behind
          parts.insert(hasDraft ? parts.begin() : parts.end(), {own, compiled.weightsBytes});
          compiled.draftWeights = weightsPlace(compiled.weightsBytes);
          status = joinWeights(parts, own, staging, diagnostics, compiled);
        }
        for (const std::string &library : partLibraries)
          if (!llvm::is_contained(compiled.libraries, library))
            compiled.libraries.push_back(library);
        if (status == ExitOk && settled.saysWhatSpeedGains && gainsNothing(settled, staging, compiled))
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
