// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "recording.h"

#include "driver/compare.h"
#include "driver/oracle.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter::conformance {

double relativeTolerance(const Case &one, ElementType type) {
  return type == ElementType::BFloat16 ? std::max(one.rtol, 0x1p-6) : one.rtol;
}

bool isRecordingOff(const HostArray &actual, const HostArray &recorded, const HostArray &exact, const Case &one,
                    std::string &why) {
  if (actual.dims != recorded.dims || actual.dims != exact.dims) {
    why = "in float64 it has another shape";
    return false;
  }
  double rtol = relativeTolerance(one, recorded.type);
  auto isNear = [&](double a, double b) { return a == b || std::fabs(a - b) <= one.atol + rtol * std::fabs(b); };
  int64_t differing = 0;
  std::string evidence;
  for (int64_t i = 0; i < recorded.size(); ++i) {
    double ours = numberAt(actual, i), theirs = numberAt(recorded, i), truth = numberAt(exact, i);
    if (isNear(ours, theirs) || (std::isnan(ours) && std::isnan(theirs)))
      continue;
    // Written so that a NaN on any side is no proof.
    bool isProof = isNear(ours, truth) && std::fabs(ours - truth) < std::fabs(theirs - truth);
    if (!isProof || differing++ == 0) {
      evidence.clear();
      raw_string_ostream(evidence) << format("[%lld] is %.9g, recorded as %.9g, in float64 %.9g",
                                             static_cast<long long>(i), ours, theirs, truth);
    }
    if (!isProof) {
      why = evidence;
      return false;
    }
  }
  why = std::to_string(differing) + " of " + std::to_string(recorded.size()) + " elements are nearer: " + evidence;
  return true;
}

bool isRecordingOff(StringRef model, const ModelInfo &info, const std::vector<HostArray> &inputs,
                    ArrayRef<HostArray> actual, ArrayRef<HostArray> recorded, const Case &one, StringRef folder,
                    std::string &why) {
  std::vector<std::string> names;
  std::vector<size_t> places;
  for (size_t i = 0; i < recorded.size(); ++i) {
    double rtol = relativeTolerance(one, recorded[i].type);
    if (allClose(actual[i], recorded[i], rtol, one.atol, why))
      continue;
    if (actual[i].type != recorded[i].type || !isFloat(recorded[i].type))
      return false;
    names.push_back(info.outputs[i].name);
    places.push_back(i);
  }
  Expected<std::vector<Evaluated>> exact = exactOutputs(model, info, inputs, names, folder);
  if (!exact) {
    why = toString(exact.takeError());
    return false;
  }
  std::string all;
  for (auto [number, i] : enumerate(places)) {
    if (!isRecordingOff(actual[i], recorded[i], (*exact)[number].exact, one, why))
      return false;
    all += (all.empty() ? "output '" : "; output '") + names[number] + "': " + why;
  }
  why = all;
  return true;
}

} // namespace sinter::conformance
