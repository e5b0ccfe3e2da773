// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter [compile]: a model to a static or shared library with its header, or to readable sources.
#include "codegen/library_file.h"
#include "driver/answer.h"
#include "driver/build_failure.h"
#include "driver/compile_flags.h"
#include "driver/cxx.h"
#include "driver/depfile.h"
#include "driver/emulated_gpu.h"
#include "driver/kibibytes.h"
#include "driver/measure.h"
#include "driver/model_program.h"
#include "driver/model_report.h"
#include "driver/npm_package.h"
#include "driver/package_flags.h"
#include "driver/progress.h"
#include "driver/report_page.h"
#include "driver/staging.h"
#include "driver/tuner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
enum class Form { Sources, Package, Served, Static, Shared };

Form formOf(StringRef output, const Target &target) {
  if (output.ends_with(".a") || output.ends_with(".lib"))
    return Form::Static;
  if (output.ends_with(".so") || output.ends_with(".dll") || output.ends_with(".dylib"))
    return Form::Shared;
  return target.isWebAssembly() ? Form::Package : Form::Sources;
}

/// In a repository of models, a version of a backend.
std::string servedLibrary(const CodegenOptions &codegen) {
  return codegen.prefix + "/" + codegen.packageInfo.modelVersion + "/libtriton_" + codegen.prefix + ".so";
}

/// False after a message.
bool checkOutput(StringRef output, const CompileJob &job) {
  std::string examples = "-o lib" + job.codegen.prefix + ".a makes a library, -o " + job.codegen.prefix +
                         (job.codegen.target.isWebAssembly() ? "/ an npm package" : "/ sources");
  if (output.empty()) {
    printError("-o is missing: where does the result go?", examples);
    return false;
  }
  StringRef ending = sys::path::extension(output);
  bool looksLikeFile = llvm::StringSwitch<bool>(ending)
                           .Cases(".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".o", ".obj", ".onnx", true)
                           .Cases(".wasm", ".mjs", ".js", true)
                           .Default(false);
  if (looksLikeFile && !sys::fs::is_directory(output)) {
    printError("-o " + output + ": no single " + ending + " file is made", examples);
    return false;
  }
  return true;
}

/// Makes the library in the staging folder; the status to end with.
ExitStatus makeLibrary(const Cxx &cxx, const Staging &staging, const CompiledModel &compiled, Form form,
                       StringRef library, const CodegenOptions &options) {
  Progress progress(("building " + library).str());
  Expected<std::vector<std::string>> objects = cxx.compile(staging.folder(), compiled.sources(), measuringFlags(cxx));
  const bool isCompiled = bool(objects);
  Error error = isCompiled ? Error::success() : objects.takeError();
  if (!error)
    error = form == Form::Static ? cxx.archive(*objects, staging.file(library))
                                 : cxx.linkShared(*objects, staging.file(library));
  if (!error) {
    Measured measured = measure(*objects);
    if (cxx.isFreestanding)
      error = measureLinked(cxx, staging, options, *objects, measured);
    if (!error) {
      writeMeasured(staging, options.prefix, measured, sys::path::filename(cxx.program));
      return ExitOk;
    }
  }
  progress.done();
  if (isCompiled && form == Form::Shared)
    return tellBuildFailure(std::move(error), library.str() + " is not linked",
                            "a linker and the C library of " + options.target.name +
                                " are needed, which --cxx may name a compiler with; -o lib" + options.prefix +
                                ".a takes neither",
                            ExitUsage);
  return tellBuildFailure(std::move(error), "the generated code does not compile",
                          options.userHeaders.empty() ? "please report it with the model" : userCodeHint);
}

/// The module, in the staging folder; the status to end with.
ExitStatus makePackage(const Cxx &cxx, StringRef linker, const Staging &staging, const CompiledModel &compiled,
                       const CodegenOptions &options) {
  Progress progress("building " + options.prefix + ".wasm");
  Error error = makeWasmModule(cxx, linker, staging, compiled.sources(), options);
  if (!error)
    return ExitOk;
  progress.done();
  return tellBuildFailure(std::move(error), "the generated code does not compile",
                          options.userHeaders.empty() ? "please report it with the model" : userCodeHint);
}

/// What was made, in one line and for the answer: what `files` are written, and what the report says they need.
void tellMade(StringRef output, ArrayRef<std::string> files, const CompileJob &job, const CompiledModel &compiled,
              const ModelReport &report, bool isQuiet) {
  json::Array dependencies;
  for (const std::string &file : dependenciesOf(job, compiled))
    dependencies.push_back(utf8(file));
  json::Object members{{"model", utf8(job.model)},         {"target", job.codegen.target.name},
                       {"output", utf8(output)},           {"files", json::Array(files)},
                       {"prefix", job.codegen.prefix},     {"dependencies", std::move(dependencies)},
                       {"arena_bytes", report.arenaBytes}, {"weights_bytes", report.weightsBytes}};
  std::string text = "wrote " + output.str() + " (" + std::to_string(files.size()) + " files): arena " +
                     kibibytes(report.arenaBytes) + ", weights " + kibibytes(report.weightsBytes);
  if (const json::Object *measured = report.json.getAsObject()->getObject("measured")) { // of a library
    int64_t code = measured->getInteger("code_bytes").value_or(0);
    text += ", code " + kibibytes(code);
    members["code_bytes"] = code;
    std::optional<int64_t> stack = measured->getInteger("stack_bound");
    text += stack ? ", stack at most " + std::to_string(*stack) + " bytes" : ", stack without a bound";
    members["stack_bound"] = stack ? json::Value(*stack) : json::Value(nullptr);
  }
  if (!compiled.libraries.empty()) {
    text += ", to be linked with the libraries " + join(compiled.libraries, ", ");
    members["libraries"] = json::Array(compiled.libraries);
  }
  answer(std::move(members));
  if (!isQuiet)
    outs() << text << "\n";
}

/// Of a library, header, reports and a weights file lie beside it; the sources were its raw material.
std::vector<std::string> besideLibrary(const CompiledModel &compiled, const CodegenOptions &options) {
  std::vector<std::string> names;
  for (const std::string &name : compiled.files) {
    StringRef ending = sys::path::extension(name);
    if (isUserFile(options, name) || isLibraryFile(name))
      continue;
    if (ending == ".h" || ending == ".c" || ending == ".hpp" || ending == ".json" || ending == ".txt" ||
        ending == ".libs" || (options.weights == "file" && name == weightsFileName(options)))
      names.push_back(name);
  }
  return names;
}
/// Builds the stand-in for the driver, and puts it where the user wants it.
Error makeEmulatedGpu(const Cxx &cxx, const Staging &staging, const CodegenOptions &options, StringRef path) {
  Expected<Emulation> emulation = compileEmulation(cxx, staging.file("emulation"));
  if (!emulation)
    return emulation.takeError();
  Expected<std::string> made =
      buildEmulatedGpu(cxx, options.target, staging.folder(), legalPrefix(options.prefix), *emulation);
  if (!made)
    return made.takeError();
  Expected<std::unique_ptr<Staging>> beside = Staging::beside(sys::path::parent_path(path));
  if (!beside)
    return beside.takeError();
  std::string name = sys::path::filename(path).str();
  if (std::error_code code = sys::fs::copy_file(*made, (*beside)->file(name)))
    return createStringError(code, path + ": " + code.message());
  return (*beside)->publish(name);
}
} // namespace

int compileVerb(const Arguments &arguments) {
  CompileFlags flags;
  PackageFlags package;
  TuneFlags tuning;
  Flag<std::string> output("o", Says("a library (.a, .so) or a folder for sources"), Takes("path"));
  Flag<bool> depfile("MD", Says("write a dependency file, as compilers do"));
  Flag<std::string> depfilePath("MF", Says("where to (default: the library's or .cpp file's path with .d)"),
                                Takes("file"));
  Flag<std::string> emulatedGpu(
      "emulated-gpu",
      Says("of a GPU: build, too, a library that stands in for the driver and runs this model's kernels on the CPU"),
      Takes("file.so"));
  Flag<bool> quiet("quiet", Says("say nothing of what goes well"));
  HtmlFlag html;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter kws.onnx -o libkws.a                      a static library, its header and reports beside it",
      "sinter kws.onnx -o gen/ --target cortex-m4       readable sources for a microcontroller"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Compiles an ONNX model to C++ that stands alone.", examples}))
    return *status;
  CompileJob job;
  if (!flags.toJob(job) || !flags.takesNoFiles() || !checkOutput(output, job))
    return ExitUsage;
  if (!emulatedGpu.empty() && !job.codegen.target.isGpu()) {
    printError("--emulated-gpu means nothing for " + job.codegen.target.name,
               "it takes a target that begins with `cuda`");
    return ExitUsage;
  }
  if (job.decoder)
    job.decoder->hasSession = true;
  job.device.mayBeEmulated = !emulatedGpu.empty();
  Form form = formOf(output, job.codegen.target);
  if (!package.toJob(flags, form == Form::Sources || form == Form::Package, job))
    return ExitUsage;
  if (job.codegen.package == "triton")
    form = Form::Served;
  if (form == Form::Shared && (job.codegen.target.isMicrocontroller() || job.codegen.target.isWebAssembly())) {
    printError(job.codegen.target.name + " has no shared libraries", "give -o a name that ends in .a");
    return ExitUsage;
  }
  Cxx cxx;
  if (form != Form::Sources || !emulatedGpu.empty()) {
    Expected<Cxx> found = findCxx(job.codegen.target, flags.cxx, flags.optimization);
    if (!found) {
      printError(toString(found.takeError()), compilerHint(job.codegen.target));
      return ExitUsage;
    }
    cxx = *found;
  }
  std::string linker;
  if (form == Form::Package) {
    Expected<std::string> found = findWasmLinker(cxx);
    if (!found) {
      printError(toString(found.takeError()), "Debian has it in the package lld-19");
      return ExitUsage;
    }
    linker = *found;
  }
  if (!flags.target.getNumOccurrences() && !quiet)
    errs() << "sinter: target " << job.codegen.target.name << " (this machine; --target chooses another)\n";

  if (!tuning.file.empty())
    if (ExitStatus status = tune(tuning, flags.cxx, flags.optimization, job))
      return status;

  bool isFolder = form == Form::Sources || form == Form::Package || form == Form::Served;
  StringRef folder = isFolder ? StringRef(output) : sys::path::parent_path(output);
  Expected<std::unique_ptr<Staging>> staging = Staging::beside(folder);
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  Diagnostics diagnostics;
  CompiledModel compiled;
  Progress progress("compiling " + job.model);
  ExitStatus status = compileModel(job, **staging, diagnostics, compiled);
  progress.done();
  tell(diagnostics, job.model);
  if (status != ExitOk)
    return status;

  cxx.linkWith(compiled.libraries);
  std::vector<std::string> results = compiled.files;
  if (form == Form::Package) {
    if (ExitStatus made = makePackage(cxx, linker, **staging, compiled, job.codegen); made != ExitOk)
      return made;
    results = packageFiles(compiled.files, job.codegen);
  } else if (form == Form::Served) {
    llvm::erase_if(results, [&](StringRef name) { return !name.starts_with(job.codegen.prefix + "/"); });
    std::string library = servedLibrary(job.codegen);
    if (std::error_code code = sys::fs::create_directories(sys::path::parent_path((*staging)->file(library)))) {
      printError(library + ": " + code.message());
      return ExitUsage;
    }
    if (ExitStatus made = makeLibrary(cxx, **staging, compiled, form, library, job.codegen); made != ExitOk)
      return made;
    results.push_back(library);
  } else if (form != Form::Sources) {
    std::string library = sys::path::filename(output).str();
    if (ExitStatus made = makeLibrary(cxx, **staging, compiled, form, library, job.codegen); made != ExitOk)
      return made;
    results = besideLibrary(compiled, job.codegen);
    results.push_back(library);
  }
  Expected<ModelReport> report = readReport(**staging, job.codegen.prefix);
  Error error = report ? Error::success() : report.takeError();
  if (!error && !emulatedGpu.empty()) {
    Progress emulating("building an emulated GPU");
    error = makeEmulatedGpu(cxx, **staging, job.codegen, emulatedGpu);
  }
  if (!error && isFolder && !job.codegen.package.empty()) {
    Diagnostics kept;
    if (!keepEdited(folder, **staging, results, kept) || !mayReplace(folder, **staging, results, job.codegen.prefix))
      return ExitUsage;
    tell(kept, job.model);
  }
  if (!error)
    error = (*staging)->publish(results);
  if (!error && (depfile || !depfilePath.empty())) {
    SmallString<128> made(output);
    if (isFolder)
      sys::path::append(made, form == Form::Package  ? job.codegen.prefix + ".wasm"
                              : form == Form::Served ? servedLibrary(job.codegen)
                                                     : compiled.sources().front());
    error = writeDepfile(depfilePath.empty() ? (made + ".d").str() : depfilePath, made, job, compiled);
  }
  if (!error && !html.empty())
    if (ExitStatus written =
            answerWithGraph(json::Object{{"model", utf8(job.model)}, {"report", report->json}}, job, false, html))
      return written;
  if (!error) {
    tellMade(output, results, job, compiled, *report, quiet || asJson);
    return ExitOk;
  }
  printError(toString(std::move(error)));
  return ExitUsage;
}

} // namespace sinter
