// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of flags of choosing tokens before anything is compiled.
#include "driver/read_adapters.h"
#include "driver/runner/sampling_ranges.h"
#include "driver/talk.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace sinter {

/// Whether each setting has a value that the programs take.
static bool checkSettings(const TextFlags &flags) {
  std::vector<std::string> words = flags.words();
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const SettingWord *setting = settingOf(words[i]);
    if (!setting)
      continue;
    if (!takesValue(*setting, words[++i].c_str())) {
      printError(words[i - 1] + " " + words[i] + " is no value that it takes", Twine("it takes ") + setting->values);
      return false;
    }
  }
  return true;
}

static bool checkConfig(const TextFlags &flags) {
  const std::string &file = flags.generationConfig;
  if (file.empty() || file == "none" || sys::fs::exists(file))
    return true;
  printError("--generation-config " + file + ": there is no such file", "--generation-config none does without");
  return false;
}

static bool checkAdapters(const TextFlags &flags, const CompileJob &job) {
  if (!flags.with.getNumOccurrences())
    return true;
  std::vector<std::string> names = switchedAdapters(job.adapterPaths);
  std::string missing;
  bool areNumbers = readAdapterWeights(flags.with.c_str(), [&](const std::string &name, float) {
    if (missing.empty() && !is_contained(names, name))
      missing = name;
  });
  if (!areNumbers)
    printError("--with " + flags.with + ": what is behind '=' is no number from -1e30 to 1e30",
               "--with NAME=0.5 lets an adapter count half");
  else if (!missing.empty() && names.empty())
    printError("--with " + missing + ": the program has no adapters that are switched: --adapter " + missing +
               "=FOLDER adds one");
  else if (!missing.empty())
    printError("--with " + missing + ": the adapters are " + join(names, ", "));
  return areNumbers && missing.empty();
}

/// Contrastive search looks at several tokens of one text.
static bool checkContrast(const TextFlags &flags) {
  if (!flags.sampling.contrasts())
    return true;
  double alpha = flags.sampling.penaltyAlpha;
  StringRef problem = !(alpha > 0 && alpha <= 1)           ? "is not between 0 and 1"
                      : flags.beams > 1                    ? "goes with no beams: it chooses among tokens of one text"
                      : flags.rows() > 1                   ? "goes with no drafts: it looks at several tokens itself"
                      : flags.sampling.draws()             ? "goes with no draws: the token of the best score is taken"
                      : flags.sampling.topK.getValue() < 2 ? "chooses among several tokens: --top-k says among how many"
                                                           : "";
  if (problem.empty())
    return true;
  printError("--penalty-alpha " + problem, "contrastive search as in transformers: --penalty-alpha 0.6 --top-k 4");
  return false;
}

/// What would have no effect is no wish.
static bool checkUseless(const TextFlags &flags, const CompileJob &job) {
  if (flags.sampling.diversityPenalty.getNumOccurrences() && flags.beamGroups == 1) {
    printError("--diversity-penalty is of beams in groups", "--beams 4 --beam-groups 2");
    return false;
  }
  if (job.decoder && job.decoder->source && job.decoder->encoder.empty() && !encoderFileBeside(job.model)) {
    printError("--source is of an encoder, and none lies beside " + job.model, "--encoder encoder_model.onnx names it");
    return false;
  }
  if (job.decoder && job.decoder->batch != 1) {
    printError("--batch is of libraries, whose sessions go on with several sequences",
               "--prompt or --ids several times go on side by side");
    return false;
  }
  return true;
}

std::vector<NamedToken> tokensOf(const TextFlags &flags) {
  std::vector<NamedToken> tokens;
  for (StringRef each : split(StringRef(flags.stop.stop.getValue()), ','))
    if (int64_t id; !each.getAsInteger(10, id))
      tokens.push_back({id, "of --stop"});
  for (StringRef each : split(StringRef(flags.sampling.logitBias.getValue()), ','))
    if (int64_t id; !each.split('=').first.getAsInteger(10, id))
      tokens.push_back({id, "of --logit-bias"});
  return tokens;
}

bool checkSearch(const TextFlags &flags, const CompileJob &job) {
  if (!checkContrast(flags) || !checkSettings(flags) || !checkConfig(flags) || !checkAdapters(flags, job) ||
      !checkUseless(flags, job))
    return false;
  StringRef problem = flags.beams == 1 ? ""
                      : flags.grammar.isGiven()
                          ? "goes with no grammar: it allows tokens of one text, and beams are several"
                      : flags.rows() > 1 ? "goes with no drafts: they are of one text, and beams are several"
                      : flags.beamGroups > 1 && flags.sampling.draws()
                          ? "goes with no draws where beams are in groups: these avoid what is likeliest to others"
                          : "";
  if (flags.beams % flags.beamGroups != 0) {
    printError("--beam-groups " + Twine(flags.beamGroups.getValue()) + " does not divide --beams " +
                   Twine(flags.beams.getValue()),
               "groups are equally large");
    return false;
  }
  if (problem.empty())
    return true;
  printError("--beams " + Twine(flags.beams.getValue()) + " " + problem);
  return false;
}

} // namespace sinter
