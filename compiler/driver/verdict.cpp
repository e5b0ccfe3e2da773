// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verdict.h"

#include "driver/answer.h"
#include "driver/oracle.h"
#include "driver/progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter {

/// How far half types' representable values lie apart at most, as a share of the largest: each operator rounds to one.
static double spacing(ElementType type) {
  return type == ElementType::Float16 ? 0x1p-10 : type == ElementType::BFloat16 ? 0x1p-7 : 0;
}

Verdict judge(const HostArray &actual, const HostArray &expected, const Tolerance &tolerance) {
  Verdict verdict;
  verdict.name = actual.name;
  verdict.type = actual.type;
  verdict.share = tolerance.share;
  Comparison &c = verdict.comparison = compare(actual, expected);
  double given = tolerance.scales.lookup(actual.name), range = tolerance.ranges.lookup(actual.name);
  c.largest = std::max({c.largest, given, range});
  verdict.isOfRange = c.largest == range;
  verdict.step = std::max(tolerance.steps.lookup(actual.name),
                          std::max(spacing(actual.type), tolerance.spacings.lookup(actual.name)) * c.largest);
  verdict.isClose = isClose(c, tolerance.share, verdict.step);
  verdict.isWithinStep = verdict.isClose && !isClose(c, tolerance.share);
  if (c.mismatch.empty() && actual.type != ElementType::String && actual.size() > 0) {
    verdict.actual = numberAt(actual, c.worst);
    verdict.expected = numberAt(expected, c.worst);
  }
  return verdict;
}

void settle(std::vector<Verdict> &verdicts, ArrayRef<HostArray> actual, ArrayRef<HostArray> expected,
            const DataSet &set, const BuiltProgram &built) {
  std::vector<std::string> names;
  std::vector<size_t> places;
  for (auto [i, verdict] : enumerate(verdicts))
    if (!verdict.isClose && verdict.comparison.mismatch.empty() && isFloat(verdict.type)) {
      names.push_back(verdict.name);
      places.push_back(i);
    }
  if (names.empty())
    return;
  Progress progress("evaluating " + join(names, ", ") + " in float64");
  Expected<std::vector<Evaluated>> exact =
      exactOutputs(built.job.model, built.program->info(), set.inputs, names, built.staging->folder());
  progress.done();
  std::string problem = exact ? "" : toString(exact.takeError());
  for (auto [number, i] : enumerate(places)) {
    Verdict &verdict = verdicts[i];
    if (!problem.empty()) {
      verdict.notSettled = problem;
    } else if ((*exact)[number].exact.dims != actual[i].dims) {
      verdict.notSettled = "in float64 it has another shape";
    } else {
      const auto &[value, rounded] = (*exact)[number];
      verdict.settled = Settled{
          largestDifference(actual[i], value), largestDifference(expected[i], value),
          rounded && rounded->dims == value.dims ? std::optional(largestDifference(*rounded, value)) : std::nullopt,
          numberAt(value, verdict.comparison.worst)};
    }
  }
}

/// Who is off, and by how much.
static void printSettled(const Verdict &verdict, raw_ostream &out) {
  StringRef other = verdict.isByOnnxruntime ? "onnxruntime" : "what is expected";
  if (const std::optional<Settled> &settled = verdict.settled) {
    out << format("    in float64 it is %.9g; sinter is off by %.3g, ", settled->exact, settled->ours) << other
        << format(" by %.3g", settled->theirs);
    if (settled->rounded)
      out << format(", roundings to half types by %.3g", *settled->rounded);
    out << ": ";
    if (settled->ours == settled->theirs)
      out << "neither is nearer\n";
    else
      out << (settled->oursIsNearer() ? "sinter" : other) << " is nearer\n";
  } else if (!verdict.notSettled.empty()) {
    out << "    " << verdict.notSettled << "\n";
  }
}

void print(const Verdict &verdict, raw_ostream &out) {
  const Comparison &c = verdict.comparison;
  out << "  " << left_justify(verdict.name, 24) << " " << textOf(c, verdict.type) << "  ";
  if (verdict.isClose) {
    WithColor(out, raw_ostream::GREEN) << "ok";
    if (verdict.isWithinStep)
      out << format(": within one step of %.3g", verdict.step);
    out << "\n";
    return;
  }
  if (verdict.isGood())
    WithColor(out, raw_ostream::GREEN) << (verdict.settled->oursIsNearer()
                                               ? "ok: nearer to float64 than onnxruntime"
                                               : "ok: as near to float64 as half types are");
  else
    WithColor(out, HighlightColor::Error) << "DIFFERS";
  out << "\n";
  if (!c.mismatch.empty())
    return;
  out << format("    element %lld is %.9g instead of %.9g; tolerance %.3g of %s %.3g", static_cast<long long>(c.worst),
                verdict.actual, verdict.expected, verdict.share,
                verdict.isOfRange ? "the output's range" : "the largest value", c.largest);
  if (verdict.step > 0)
    out << format(", or one step of %.3g", verdict.step);
  out << "\n";
  printSettled(verdict, out);
  if (!verdict.isGood())
    out << "    --tolerance SHARE and --scale '" << verdict.name << "=VALUE' change that\n";
}

json::Object jsonOf(const Verdict &verdict) {
  const Comparison &c = verdict.comparison;
  json::Object object{{"name", utf8(verdict.name)}, {"type", elementTypeName(verdict.type)}, {"ok", verdict.isGood()}};
  if (!c.mismatch.empty()) {
    object["mismatch"] = utf8(c.mismatch);
    return object;
  }
  if (verdict.type == ElementType::String)
    return object;
  // JSON has no infinity.
  auto number = [](double value) { return std::isfinite(value) ? json::Value(value) : json::Value(nullptr); };
  object["max_abs"] = number(c.maxAbs);
  object["max_rel"] = number(c.maxRel);
  object["max_ulp"] = c.maxUlp;
  object["cosine"] = number(c.cosine);
  object["arg_max_agreement"] = c.argMaxAgreement;
  object["tolerance"] = number(std::max(verdict.share * c.largest, verdict.step));
  if (const std::optional<Settled> &settled = verdict.settled) {
    json::Object float64{{"exact", number(settled->exact)},
                         {"sinter_is_off", number(settled->ours)},
                         {"expected_is_off", number(settled->theirs)}};
    if (settled->rounded)
      float64["half_types_are_off"] = number(*settled->rounded);
    object["float64"] = std::move(float64);
  }
  object["worst"] =
      json::Object{{"element", c.worst}, {"actual", number(verdict.actual)}, {"expected", number(verdict.expected)}};
  return object;
}

} // namespace sinter
