// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modelled times in the report: which GPU they are for, their sum, and of each call what takes longest, its bytes, its
// operations, and the tile that was taken.
#include "report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

DeviceReport::Sum sumOfTimes(const Report &report) {
  DeviceReport::Sum sum;
  for (const auto &[time, call] :
       llvm::zip(report.device->times, ArrayRef(report.calls).take_front(report.callsAtAllSizes))) {
    sum.launches += call.repeats;
    sum.unknown += time ? 0 : 1;
    sum.microseconds += time ? time->microseconds * static_cast<double>(call.repeats) : 0;
    sum.gaps += (time ? time->gap : report.device->gpu.gapMicroseconds) * static_cast<double>(call.repeats);
  }
  return sum;
}

void printTimesText(raw_ostream &out, const Report &report, const KernelList &kernels) {
  const GpuModel &gpu = report.device->gpu;
  DeviceReport::Sum sum = sumOfTimes(report);
  out << formatv("modelled on {0}: {1:f1} us = {2:f1} us in kernels + {3:f1} us in {4} gaps; weights come from DRAM\n",
                 gpu.name, sum.microseconds + sum.gaps, sum.microseconds, sum.gaps, sum.launches);
  if (sum.unknown)
    out << "        without " << sum.unknown << " calls whose sizes only a call knows\n";
  out << " call function                          gap      us bound             weights       maps      MFLOP  tile; "
         "the "
         "next\n";
  for (auto [i, time] : enumerate(report.device->times)) {
    std::string name = kernels.functions[kernels.calls[i].function].name.text().take_front(28).str();
    out << format("%5zu %-28s ", i, name.c_str());
    if (time)
      out << format("%6.2f %7.2f %-17s %7.1f KB %7.1f KB %10.3f  ", time->gap, time->microseconds, time->bound.c_str(),
                    time->weightBytes / 1024, time->mapBytes / 1024, time->flops * 1e-6)
          << time->choice;
    else
      out << "       - sizes that only a call knows";
    out << "\n";
  }
  out << "\n";
}

void printTimesJson(json::OStream &out, const Report &report) {
  const GpuModel &gpu = report.device->gpu;
  DeviceReport::Sum sum = sumOfTimes(report);
  out.attributeObject("model", [&] {
    out.attribute("gpu", gpu.name);
    out.attribute("sm", gpu.sm);
    out.attribute("kernels_us", sum.microseconds);
    out.attribute("launches", sum.launches);
    out.attribute("gaps_us", sum.gaps);
    out.attribute("total_us", sum.microseconds + sum.gaps);
    out.attribute("unknown_calls", sum.unknown);
  });
}

void printTimeJson(json::OStream &out, const std::optional<DeviceTime> &time) {
  if (!time)
    return;
  out.attributeObject("modelled", [&] {
    out.attribute("us", time->microseconds);
    out.attribute("gap_us", time->gap);
    out.attribute("bound", time->bound);
    out.attribute("weight_bytes", time->weightBytes);
    out.attribute("map_bytes", time->mapBytes);
    out.attribute("flops", time->flops);
    if (!time->choice.empty())
      out.attribute("choice", time->choice);
  });
}

} // namespace sinter
