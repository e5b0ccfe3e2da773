// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/peak.h"

#include "driver/model_program.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {

double Peak::bytesPerSecond(int64_t bytes) const {
  for (const Memory &size : memory)
    if (bytes <= size.bytes)
      return size.bytesPerSecond;
  return memory.back().bytesPerSecond;
}

static void readCore(const json::Object &root, CorePeak &core) {
  core.clockHz = *root.getNumber("clock_hz");
  core.additionsPerSecond = *root.getNumber("additions_per_second");
  core.singlesPerSecond = *root.getNumber("singles_per_second");
  core.byteMacsPerSecond = *root.getNumber("byte_macs_per_second");
  core.handoffSeconds = *root.getNumber("handoff_seconds");
  for (auto [bytes, value] : zip(core.cacheBytes, *root.getArray("cache_bytes")))
    bytes = *value.getAsInteger();
}

Expected<Peak> measurePeak(const Cxx &cxx, const Target &target, StringRef folder, int threads, CorePeak *core) {
  if (Error error = writeRunnerSources(folder))
    return std::move(error);
  std::string lanes = "-DSINTER_VECTOR_BYTES=" + std::to_string(std::max(target.vectorBytes, 4));
  Expected<std::vector<std::string>> objects = cxx.compile(folder, {"peak.cpp"}, {lanes, "-ffp-contract=fast"});
  if (!objects)
    return objects.takeError();
  objects->push_back("-pthread");
  std::string program = (folder + "/peak").str(), log = program + ".json", problem;
  if (Error error = cxx.linkProgram(*objects, program, /*isStatic=*/false))
    return std::move(error);
  std::vector<std::string> arguments = {std::to_string(threads)};
  if (core)
    arguments.push_back("all");
  int status = execute(program, arguments, log, problem);
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log);
  if (status != 0 || !text)
    return createStringError(inconvertibleErrorCode(), "the program that measures the machine failed " + problem);
  Expected<json::Value> parsed = json::parse((*text)->getBuffer());
  if (!parsed)
    return parsed.takeError();
  const json::Object &root = *parsed->getAsObject();
  Peak peak;
  peak.macsPerSecond = *root.getNumber("macs_per_second");
  for (const json::Value &value : *root.getArray("memory")) {
    const json::Object &size = *value.getAsObject();
    peak.memory.push_back({*size.getInteger("bytes"), *size.getNumber("bytes_per_second")});
  }
  if (core)
    readCore(root, *core);
  return peak;
}

PeakShare peakShare(const Peak &peak, const KernelReport &kernel, double seconds) {
  double compute = static_cast<double>(kernel.macs) / peak.macsPerSecond;
  double memory = kernel.bytes > 0 ? static_cast<double>(kernel.bytes) / peak.bytesPerSecond(kernel.bytes) : 0;
  if (seconds <= 0 || (compute == 0 && memory == 0))
    return {};
  return compute >= memory ? PeakShare{PeakShare::Compute, compute / seconds}
                           : PeakShare{PeakShare::Memory, memory / seconds};
}

} // namespace sinter
