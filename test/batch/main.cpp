// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-batch: thousands of models through the compiler, each in a child of its own with limits on time and memory.
//   sinter-batch [--jobs N] [--seconds S] [--megabytes M] [--cache FOLDER] [LIST]
// The cache keeps runners, which take longer to compile than a small model, for the next call.
// LIST (default: stdin) has a model's path a line, or an object of JSON:
//   model, flags       what `sinter compile` takes
//   data               folders with input_<i>.pb or .npy
//   out                folder for outputs
//   interpreted        passes ("convert-nodes": none yet; "all") behind which the interpreter runs on the data:
//                      <out>/pass<place>_set<number of the data>_<i>.npy
//   built, sanitized   whether the generated code is built, with sanitizers, and run on the data:
//                      <out>/built_set<number>_<i>.npy
// One line of JSON for each, as they end:
//   index, model       which it is, counted from 0
//   verdict            accepted, rejected (with diagnostics), crashed, timeout, usage
//   problems           code, message, node, operator of each diagnostic
//   signal, log        what ended the compiler, and what it said
//   seconds, kilobytes of the whole case
//   interpreted        pass, place, set, and `outputs` (their types) or `problem`
//   built              `runs` (each `outputs`, `status` of the ABI, or `problem`), `arena`; or `problem`
#include "batch_case.h"
#include "children.h"

#include "driver/flags.h"
#include "driver/staging.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace sinter;

namespace {
/// The flags of this program. They are no cl::opts: those are the compiler's here, parsed anew in each child.
struct BatchFlags {
  ChildLimits limits{hardware_concurrency().compute_thread_count(), 60, 8192};
  std::string list = "-", cache;

  bool parse(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      StringRef flag = argv[i];
      if (!flag.starts_with("--")) {
        list = flag.str();
        continue;
      }
      if (++i == argc)
        return false;
      if (flag == "--cache") {
        cache = argv[i];
        continue;
      }
      unsigned value;
      if (StringRef(argv[i]).getAsInteger(10, value))
        return false;
      if (flag == "--jobs")
        limits.jobs = value;
      else if (flag == "--seconds")
        limits.seconds = value;
      else if (flag == "--megabytes")
        limits.megabytes = value;
      else
        return false;
    }
    return true;
  }
};

/// What the child told, with what only its parent knows.
json::Object describe(const ChildResult &child, const BatchCase &one) {
  json::Object result;
  if (Expected<json::Value> told = json::parse(child.text))
    result = std::move(*told->getAsObject());
  else
    consumeError(told.takeError());
  if (result.empty())
    result["verdict"] = child.signal == SIGALRM ? "timeout" : child.exitStatus == ExitUsage ? "usage" : "crashed";
  if (child.signal)
    result["signal"] = child.signal;
  constexpr size_t most = 4000;
  if (!child.log.empty())
    result["log"] = json::fixUTF8(StringRef(child.log).take_back(most));
  result["index"] = static_cast<int64_t>(child.index);
  result["model"] = one.model;
  result["seconds"] = child.seconds;
  result["kilobytes"] = child.kilobytes;
  return result;
}

Expected<std::vector<BatchCase>> readList(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return createStringError(file.getError(), path);
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<BatchCase> cases;
  for (StringRef line : lines) {
    Expected<BatchCase> one = parseBatchCase(line);
    if (!one)
      return one.takeError();
    cases.push_back(std::move(*one));
  }
  return cases;
}
} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  BatchFlags flags;
  if (!flags.parse(argc, argv)) {
    printError("usage: sinter-batch [--jobs N] [--seconds S] [--megabytes M] [--cache FOLDER] [LIST]");
    return ExitUsage;
  }
  Expected<std::vector<BatchCase>> cases = readList(flags.list);
  Expected<std::unique_ptr<Staging>> own = Staging::temporary();
  if (!cases) {
    printError(toString(cases.takeError()));
    return ExitUsage;
  }
  if (!own) {
    printError(toString(own.takeError()));
    return ExitUsage;
  }
  std::string cache = flags.cache.empty() ? (*own)->folder().str() : flags.cache;
  auto work = [&](size_t i) {
    std::string text;
    raw_string_ostream(text) << json::Value(runBatchCase((*cases)[i], cache));
    return text;
  };
  runInChildren(cases->size(), flags.limits, /*keepLog=*/true, work, [&](const ChildResult &child) {
    outs() << json::Value(describe(child, (*cases)[child.index])) << "\n";
    outs().flush();
  });
  return ExitOk;
}
