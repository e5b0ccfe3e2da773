// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/machine_bench.h"

#include "driver/answer.h"
#include "driver/cxx.h"
#include "driver/machine_file.h"
#include "driver/output_file.h"
#include "driver/progress.h"
#include "driver/staging.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

static json::Object jsonOfMachine(const Target &measured, const Peak &peak, const CorePeak &core) {
  const MachineModel &machine = measured.machine;
  return json::Object{{"clock_hz", core.clockHz},
                      {"macs_per_second", peak.macsPerSecond},
                      {"byte_macs_per_second", core.byteMacsPerSecond},
                      {"singles_per_second", core.singlesPerSecond},
                      {"additions_per_second", core.additionsPerSecond},
                      {"handoff_seconds", core.handoffSeconds},
                      {"l1_kbytes", machine.l1Kbytes},
                      {"l2_kbytes", measured.l2Kbytes},
                      {"l3_kbytes", machine.l3Kbytes},
                      {"l1_bytes_per_second", machine.l1BytesPerCycle * core.clockHz},
                      {"l2_bytes_per_second", machine.l2BytesPerCycle * core.clockHz},
                      {"l3_bytes_per_second", static_cast<double>(measured.bytesPerCycle) * core.clockHz},
                      {"memory_bytes_per_second", machine.memoryBytesPerCycle * core.clockHz}};
}

int benchMachine(const CompileFlags &flags, StringRef processor, bool asJson) {
  auto fail = [](Error error, ExitStatus status) {
    printError(toString(std::move(error)));
    return status;
  };
  std::string problem;
  std::optional<Target> target = findAnyTarget(flags.target, problem);
  if (!target) {
    printError(problem);
    return ExitUsage;
  }
  if (target->isGpu() || !runsOnHost(*target)) {
    printError("--machine measures this machine; it does not run programs for " + target->name + " itself",
               "give the file as --machine FILE with a model, where it was measured elsewhere");
    return ExitUsage;
  }
  Expected<Cxx> cxx = findCxx(*target, flags.cxx, flags.optimization);
  if (!cxx)
    return fail(cxx.takeError(), ExitUsage);
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging)
    return fail(staging.takeError(), ExitUsage);
  Progress progress("measuring what this machine can do");
  CorePeak core;
  Expected<Peak> peak = measurePeak(*cxx, *target, (*staging)->folder(), /*threads=*/1, &core);
  progress.done();
  if (!peak)
    return fail(peak.takeError(), ExitInternal);
  Target measured = measuredTarget(*target, *peak, core);
  if (asJson)
    answer(json::Object{
        {"target", target->name}, {"processor", utf8(processor)}, {"machine", jsonOfMachine(measured, *peak, core)}});
  else {
    outs() << processor << ", one thread, for " << target->name << "\n\n";
    printMachine(measured, *peak, core, outs());
  }
  if (flags.machine == "-")
    return ExitOk;
  std::string text = machineFileText(measured, ("Measured by sinter bench --machine on " + processor).str());
  if (Error error = writeOutputs({{flags.machine, text}}))
    return fail(std::move(error), ExitUsage);
  if (!asJson)
    outs() << "\nwrote " << flags.machine << ", which --machine and --target take\n";
  return ExitOk;
}

} // namespace sinter
