// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking of flags, before any work.
#include "driver/compile_flags.h"

#include "cuda/gpu.h"
#include "driver/exact_copies.h"
#include "driver/target_list.h"
#include "driver/tuning_file.h"
#include "driver/version.h"
#include "target/shared_memory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
// Threads of a package for browsers: those that most machines have, and more than any machine of a user has.
constexpr int defaultWorkers = 4, mostWorkers = 128;

bool isIdentifier(StringRef text) {
  return !text.empty() && !isDigit(text[0]) && llvm::all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}

std::optional<IndexCheck> indexCheckOf(StringRef text) {
  if (text == "error")
    return IndexCheck::Error;
  if (text == "clamp")
    return IndexCheck::Clamp;
  if (text == "trust")
    return IndexCheck::Trust;
  return std::nullopt;
}

/// "65536", "64K", "2M".
bool parseBytes(StringRef text, std::optional<int64_t> &bytes) {
  int64_t unit = text.consume_back("K") ? 1 << 10 : text.consume_back("M") ? 1 << 20 : 1, count;
  constexpr int64_t most = int64_t(1) << 40;
  if (text.getAsInteger(10, count) || count < 0 || count > most)
    return false;
  bytes = count * unit;
  return true;
}

/// "fast=64K,slow": the last region may be without a limit. A problem, or nothing.
std::optional<std::string> parseRegions(StringRef text, std::vector<Arena> &regions) {
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (StringRef entry : entries) {
    auto [name, size] = entry.split('=');
    std::optional<int64_t> bytes;
    bool isLast = regions.size() + 1 == entries.size();
    if (!isIdentifier(name) || (entry.contains('=') ? !parseBytes(size, bytes) : !isLast))
      return ("--ram: " + entry + " is not NAME=BYTES, such as fast=64K").str();
    if (llvm::any_of(regions, [name = name](const Arena &other) { return name.equals_insensitive(other.name); }))
      return ("--ram: " + name + " is there twice").str();
    Arena &region = regions.emplace_back();
    region.name = name.str();
    region.limit = bytes.value_or(INT64_MAX);
  }
  if (regions.size() < 2)
    return std::string(
        "--ram takes two regions or more, such as fast=64K,slow=256K; --arena-limit bounds a single one");
  return std::nullopt;
}

bool isWeightsForm(StringRef text) {
  return text == "incbin" || text == "cpp" || text == "numbers" || text == "file" || text.starts_with("section:");
}

/// Assemblers take the name of a section without quotes: what ends a word or begins a comment there is not within it.
bool isSectionName(StringRef name, ObjectFormat format) {
  auto isWord = [](StringRef word) {
    return !word.empty() && all_of(word, [](char c) { return isAlnum(c) || StringRef("._$-").contains(c); });
  };
  auto [segment, section] = name.split(',');
  return format == ObjectFormat::MachO ? isWord(segment) && isWord(section) : isWord(name);
}
} // namespace

std::string prefixOf(StringRef path) {
  std::string prefix;
  for (char c : sys::path::stem(path))
    prefix += isAlnum(c) ? c : '_';
  if (prefix.empty() || isDigit(prefix[0]))
    prefix = "x_" + prefix;
  return prefix;
}

std::optional<std::pair<std::string, std::string>> CompileFlags::strangeTo(const Target &found) const {
  auto strange = [&](const FlagBase &flag, StringRef why) {
    return std::pair(flag.spelling() + " means nothing for " + found.name, why.str());
  };
  if (decoder.decoder && (found.isGpu() || found.isWebAssembly()))
    return strange(decoder.decoder, "sessions are for CPUs: compile with --state and --dim, and keep caches yourself");
  if (!found.isGpu()) {
    if (found.isWebAssembly() && !sharesMemory(found) && threads > 1)
      return strange(threads, found.name + "-threads has them; here instances in workers run at the same time");
    if (sharesMemory(found) && threads > mostWorkers)
      return strange(threads, "a package starts at most " + std::to_string(mostWorkers));
    if (found.isWebAssembly() && example)
      return strange(example, "README.md of the package has one");
    if (!nvrtc.empty())
      return strange(nvrtc, "NVRTC compiles for the GPUs of targets that begin with `cuda`");
    return std::nullopt;
  }
  if (threads > 1)
    return strange(threads, "each kernel is launched in as many blocks and threads as fit the GPU");
  if (!ram.empty())
    return strange(ram, "the arena lies in the device's memory, which is one; --arena-limit says how much of it");
  if (subnormals == "zero")
    return strange(subnormals, "GPUs compute with them as fast as with other numbers");
  for (const auto *flag : {&machine, &tuned})
    if (!flag->empty())
      return strange(*flag, "kernels of GPUs are chosen by what targets/cuda says of the GPU");
  if (ioInArena)
    return strange(ioInArena, "tensors may lie anywhere in the device's memory or the host's; what lies there aligned "
                              "to 16 bytes is used in place");
  if (!weightsInRam.empty())
    return strange(weightsInRam, "all weights are copied to the device's memory when an instance is created");
  if (libraryText != "inline")
    return strange(libraryText, "device code is compiled from one text");
  if (fit.getNumOccurrences() && fit != "balanced")
    return strange(fit, "kernels are chosen by what they cost on the GPU, and there is one way to plan its memory");
  return std::nullopt;
}

bool CompileFlags::othersKnowTheModel() const {
  if (!adapters.empty())
    printError("--adapter: other runtimes read the model's file, which knows nothing of the adapter",
               "compare without it, or a model into which it was merged before it was exported");
  return adapters.empty();
}

std::vector<std::string> CompileFlags::inputFiles() const {
  std::vector<std::string> files;
  for (const std::string &input : inputs)
    if (!isInputForm(StringRef(input).split('=').second))
      files.push_back(input);
  return files;
}

bool CompileFlags::takesNoFiles() const {
  std::vector<std::string> files = inputFiles();
  if (files.empty())
    return true;
  printError("--input " + files.front() + " is no form, such as image=u8,nhwc,mean=127.5,scale=1/127.5",
             "files are for run, verify, bench and generate");
  return false;
}

bool CompileFlags::takeMeasured(CompileJob &job) const {
  std::vector<Target *> targets = {&job.codegen.target};
  for (Target &other : job.codegen.otherCpus)
    targets.push_back(&other);
  for (Target *each : targets)
    if (!machine.empty())
      if (std::string problem = takeMachine(machine, *each); !problem.empty()) {
        printError("--machine: " + problem, "`sinter bench --machine FILE.yaml` writes such a file");
        return false;
      }
  if (tuned.empty())
    return true;
  Expected<TuningFile> file = TuningFile::read(tuned);
  if (!file) {
    printError("--tuned: " + toString(file.takeError()),
               "`sinter MODEL.onnx --tune FILE.json -o ...` writes such a file");
    return false;
  }
  for (Target *each : targets)
    job.tuned[each->name] = file->choicesFor(each->name, job.codegen.compiler);
  const TunedChoices &first = job.tuned[job.codegen.target.name];
  job.saysTuned = true;
  job.tunedElsewhere = file->entries.size() - first.taken.size();
  return true;
}

bool CompileFlags::toJob(CompileJob &job) const {
  auto fail = [](const Twine &message, const Twine &hint = "") {
    printError(message, hint);
    return false;
  };
  if (!toImport(job))
    return false;
  job.adapterPaths.assign(adapters.begin(), adapters.end());
  for (const std::string &name : overridable)
    job.import.overridable.insert(name);
  if (std::optional<std::string> problem = parseExactCopies(specialize, job.import.dims, job.exactCopies))
    return fail(*problem);
  if (!job.exactCopies.empty() && ioInArena)
    return fail("--specialize and --io-in-arena exclude each other",
                "each copy has a plan of its own, and inputs and outputs lie at one place");
  for (const std::string &bound : bounds) {
    auto [output, most] = StringRef(bound).rsplit('=');
    auto [node, number] = output.rsplit(':');
    unsigned index;
    int64_t value;
    if (node.empty() || number.getAsInteger(10, index) || most.getAsInteger(10, value) || value < 0)
      return fail("--bound " + bound + " is not NODE:OUTPUT=N");
    job.conversion.bounds[output] = value;
  }
  for (const std::string &input : inputs) {
    if (!isInputForm(StringRef(input).split('=').second))
      continue;
    Expected<InputForm> form = parseInputForm(input);
    if (!form)
      return fail(toString(form.takeError()));
    job.forms.inputs.push_back(std::move(*form));
  }
  for (const std::string &output : outputs) {
    Expected<OutputForm> form = parseOutputForm(output);
    if (!form)
      return fail(toString(form.takeError()));
    job.forms.outputs.push_back(std::move(*form));
  }
  if (!job.forms.empty() && (io == "quantized" || !states.empty()))
    return fail("forms of --input and --output do not go with --io quantized and --state");
  if (decoder.cache != "fp32" && decoder.cache != "fp16" && decoder.cache != "int8")
    return fail("--cache " + decoder.cache + " is none of fp32, fp16, int8");
  if (decoder.attentions.getNumOccurrences() && !decoder.layers())
    return fail("--cross-attentions " + decoder.attentions + " is neither all nor a list of layers, such as 0,2");
  if (decoder.decoder)
    job.decoder = decoder.wish();
  else if (!decoder.isImplied && decoder.isNeeded())
    return fail("--context, --batch, --chunk, --logit-rows, --source, --encoder, --cross-attentions, --hidden-states "
                "and --cache go with --decoder",
                "they say what its session is for");
  job.codegen.fast = fast;
  job.codegen.example = example;
  if (libraryText != "inline" && libraryText != "header")
    return fail("--library-text " + libraryText + " is none of inline, header");
  job.codegen.hasLibraryFile = libraryText == "header";
  if (fast)
    errs() << "sinter: --fast gives up: " << givenUp() << "\n";
  if (!arenaLimit.empty() && !parseBytes(arenaLimit, job.codegen.arenaLimit))
    return fail("--arena-limit " + arenaLimit + " is not a number of bytes, such as 65536 or 64K");
  if (!textBytes.empty() && !parseBytes(textBytes, job.conversion.textBytes))
    return fail("--text-bytes " + textBytes + " is not a number of bytes, such as 65536 or 64K");
  if (nchwcBlock != 0 && nchwcBlock != 8 && nchwcBlock != 16)
    return fail("--nchwc-block " + Twine(int(nchwcBlock)) + " is none of 8, 16");
  if (nchwcBlock != 0)
    job.conversion.nchwcBlock = nchwcBlock;
  if (!foldLimit.empty() && !parseBytes(foldLimit, job.pipeline.foldSteps))
    return fail("--fold-limit " + foldLimit + " is not a number of steps, such as 65536 or 64K");
  if (!ram.empty()) {
    if (std::optional<std::string> problem = parseRegions(ram, job.pipeline.ram))
      return fail(*problem);
    if (!arenaLimit.empty())
      return fail("--arena-limit and --ram exclude each other", "the regions of --ram have limits of their own");
  }
  for (const std::string &state : states)
    if (!StringRef(state).contains('='))
      return fail("--state " + state + " is not OUT=IN");
  job.conversion.states = states;
  job.pipeline.disabledPasses = disabledPasses;
  job.pipeline.dumpAfter = dumpAfter;
  job.pipeline.dumpChoices = dumpChoices;
  job.pipeline.timePasses = timePasses;
  job.pipeline.verifyEach = verifyEach;
  if (io != "model" && io != "quantized")
    return fail("--io " + io + " is none of model, quantized");
  job.quantizedIo = io == "quantized";
  job.pipeline.ioInArena = ioInArena;
  const FitMode *mode = llvm::find_if(fitModes(), [&](const FitMode &known) { return known.name == fit; });
  if (mode == fitModes().end())
    return fail("--fit " + fit + " is none of balanced, speed, ram");
  job.pipeline.fit = mode->fit;
  job.saysWhatSpeedGains = mode->fit == Fit::Speed;
  if (subnormals != "exact" && subnormals != "products" && subnormals != "zero")
    return fail("--subnormals " + subnormals + " is none of exact, products, zero");
  job.codegen.subnormals = subnormals == "exact"      ? Subnormals::Exact
                           : subnormals == "products" ? Subnormals::Products
                                                      : Subnormals::Zero;
  if (requant != "auto" && requant != "float" && requant != "fixed")
    return fail("--requant " + requant + " is none of auto, float, fixed");
  if (std::optional<std::string> problem = job.pipeline.problem())
    return fail(*problem);

  std::string problem;
  std::vector<Target> otherCpus;
  std::optional<Target> found = findTargets(target, otherCpus, problem);
  if (!found)
    return fail(problem);
  job.codegen.target = *found;
  job.codegen.otherCpus = std::move(otherCpus);
  if (auto strange = strangeTo(*found))
    return fail(strange->first, strange->second);
  job.device.nvrtcFolders.assign(nvrtc.begin(), nvrtc.end());
  job.device.fast = fast;
  bool isFixed = requant == "fixed" || (requant == "auto" && !found->fpu);
  job.pipeline.requant = isFixed ? Requant::Fixed : Requant::Float;
  job.codegen.prefix = prefix.empty() ? prefixOf(model) : prefix.getValue();
  if (!isIdentifier(job.codegen.prefix))
    return fail("--prefix " + prefix + " is not an identifier");
  job.codegen.prefix = legalPrefix(job.codegen.prefix); // files are named by it too
  if (!checkCustomFiles(job))
    return false;
  job.codegen.weights = weights.empty() ? found->weights : weights.getValue();
  job.codegen.threads = sharesMemory(*found) && !threads.getNumOccurrences() ? defaultWorkers : threads.getValue();
  if (!isWeightsForm(job.codegen.weights))
    return fail("--weights " + weights + " is none of incbin, cpp, numbers, file, section:NAME");
  if (StringRef section = job.codegen.weights;
      section.consume_front("section:") && !isSectionName(section, found->objectFormat()))
    return fail("--weights " + weights + ": '" + section + "' is no name of a section",
                found->objectFormat() == ObjectFormat::MachO
                    ? "a segment and a section, such as section:__DATA,__weights: letters, digits and . _ $ - in each"
                    : "letters, digits and . _ $ -, such as section:.external_flash");
  if (!job.codegen.otherCpus.empty() && ioInArena)
    return fail("several CPUs and --io-in-arena exclude each other",
                "each CPU has a plan of its own, and inputs and outputs lie at one place");
  if (!job.codegen.otherCpus.empty() && !weightsInRam.empty())
    return fail("several CPUs and --weights-in-ram exclude each other", "sources for each read one image of weights");
  if (!job.codegen.otherCpus.empty() && (job.codegen.weights == "cpp" || job.codegen.weights == "numbers"))
    return fail("--weights " + job.codegen.weights + " does not go with several CPUs",
                "sources for each read one image, which incbin, file and section:NAME carry");
  if (found->portable && job.codegen.weights != "numbers")
    return fail("--weights " + weights + " does not go with --target " + found->name,
                "its sources are for any compiler and order of bytes: weights are numbers in them");
  std::optional<int64_t> inRam = INT64_MAX;
  if (!weightsInRam.empty()) {
    if (weightsInRam != "all" && !parseBytes(weightsInRam, inRam))
      return fail("--weights-in-ram " + weightsInRam + " is neither `all` nor a number of bytes, such as 32K");
    if (weights == "file")
      return fail("--weights-in-ram and --weights=file exclude each other",
                  "the caller may copy the file to RAM and give that address in sinter_env.weights");
    job.codegen.weightsInRam = *inRam;
  }
  std::optional<IndexCheck> check = indexCheckOf(indexCheck);
  if (!check)
    return fail("--index-check " + indexCheck + " is none of error, clamp, trust");
  job.codegen.indexCheck = *check;
  job.codegen.compiler = std::string("sinter ") + version();
  if (!takeMeasured(job))
    return false;
  job.codegen.templatesFolder = templates;
  if (optimization.size() != 1 || !StringRef("0123s").contains(optimization))
    return fail("-O" + optimization + " is none of -O0, -O1, -O2, -O3, -Os");
  job.codegen.optimization = optimization;
  return true;
}

} // namespace sinter
