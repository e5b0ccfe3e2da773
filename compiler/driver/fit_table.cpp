// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The modes of --fit first; between the arena of the default and the least one, --arena-limit finds the cheapest
// row tiles that fit (arena_limit.cpp).
#include "driver/fit_table.h"

#include "driver/answer.h"
#include "driver/build_program.h"
#include "driver/error_saying.h"
#include "driver/host_value.h"
#include "driver/inputs.h"
#include "driver/kibibytes.h"
#include "driver/measure.h"
#include "driver/progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr int64_t limitsBetween = 6;

/// One way after the other.
class FitSearch {
public:
  FitSearch(const CompileFlags &flags, bool counts) : flags(flags), counts(counts) {}

  /// Nothing: it cannot be compiled so.
  Expected<std::optional<FitPoint>> tryOut(const CompileJob &job, const std::string &name, bool mayCount = true) {
    Progress progress("compiling " + job.model + (name.empty() ? "" : " with " + name));
    Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
    if (!staging)
      return staging.takeError();
    Diagnostics unheard;
    CompiledModel compiled;
    if (compileModel(job, **staging, unheard, compiled) != ExitOk)
      return std::nullopt;
    Expected<ModelReport> report = readReport(**staging, job.codegen.prefix);
    if (!report)
      return report.takeError();
    FitPoint point{name, report->arenaBytes, report->weightsBytes, std::nullopt, report->rowTilingWork};
    if (counts && mayCount) {
      progress.step("counting instructions of " + job.model + (name.empty() ? "" : " with " + name));
      if (Error error = count(job, point))
        return std::move(error);
    }
    return point;
  }

private:
  /// Instructions and flash, on the board.
  Error count(const CompileJob &job, FitPoint &point) {
    BuiltProgram built;
    built.job = job;
    built.isTrial = true;
    if (buildProgram(flags.cxx, flags.optimization, {}, built) != ExitOk)
      return errorSaying("the model cannot be built for the board");
    std::vector<HostArray> inputs;
    for (ArrayRef<TensorInfo> parts : valuesOf(built.program->info().inputs)) {
      std::vector<HostArray> arrays;
      for (const TensorInfo &tensor : parts)
        arrays.push_back(madeUp(tensor.type, tensor.dims, inputs.size() + arrays.size()));
      llvm::append_range(inputs, isStructure(parts) ? madeUpParts(parts, arrays, 0) : arrays);
    }
    BoardCounts counted;
    Expected<RunResult> result = built.program->count(inputs, counted);
    if (!result)
      return result.takeError();
    if (result->status != 0)
      return errorSaying("the call ended with status " + Twine(result->status));
    point.work = counted.all;
    Measured measured;
    if (Error error = measureLinked(built.cxx, *built.staging, job.codegen, built.objects, measured))
      return error;
    point.flashBytes = measured.linked->flash();
    return Error::success();
  }

  const CompileFlags &flags;
  bool counts;
};

/// Without those that another one beats in both, or that equal an earlier one.
void keepBest(std::vector<FitPoint> &points) {
  llvm::stable_sort(points, [](const FitPoint &a, const FitPoint &b) {
    return std::tie(a.arenaBytes, a.work) < std::tie(b.arenaBytes, b.work);
  });
  double leastWork = std::numeric_limits<double>::infinity();
  llvm::erase_if(points, [&](const FitPoint &point) { // from the least arena on: more RAM must save work
    return point.work >= std::exchange(leastWork, std::min(leastWork, point.work));
  });
  std::reverse(points.begin(), points.end());
}

std::string grouped(double number) {
  std::string digits = std::to_string(static_cast<int64_t>(number + 0.5));
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, ' ');
  return digits;
}

} // namespace

Expected<FitTable> makeFitTable(const CompileFlags &flags, CompileJob job, bool counts) {
  if (counts && !job.codegen.target.isMicrocontroller())
    return errorSaying("--measure counts instructions on an emulated board: --target names a microcontroller");
  FitTable table{job.model, job.codegen.target.name, counts, 0, false, {}};
  FitSearch search(flags, counts);
  job.codegen.arenaLimit.reset();
  int64_t most = 0, least = INT64_MAX;
  auto add = [&](const CompileJob &way, const std::string &name) -> Error {
    Expected<std::optional<FitPoint>> point = search.tryOut(way, name);
    if (!point)
      return point.takeError();
    if (!*point)
      return Error::success();
    if (name.empty())
      table.defaultWork = (*point)->work;
    most = std::max(most, (*point)->arenaBytes);
    least = std::min(least, (*point)->arenaBytes);
    table.points.push_back(std::move(**point));
    return Error::success();
  };
  for (const FitMode &mode : fitModes()) {
    CompileJob way = job;
    way.pipeline.fit = mode.fit;
    if (Error error = add(way, mode.fit == job.pipeline.fit ? std::string() : ("--fit " + mode.name).str()))
      return std::move(error);
  }
  if (table.points.empty())
    return table;
  if (table.points.size() == fitModes().size() && job.pipeline.fit == Fit::Balanced) {
    const FitPoint &balanced = table.points[0], &speed = table.points[1]; // as fitModes() has them
    table.speedIsDefault = std::tie(balanced.arenaBytes, balanced.weightsBytes, balanced.work) ==
                           std::tie(speed.arenaBytes, speed.weightsBytes, speed.work);
  }
  CompileJob smallest = job;
  smallest.pipeline.rowTilingBytes = 0;
  Expected<std::optional<FitPoint>> bottom = search.tryOut(smallest, "the smallest row tiles", /*mayCount=*/false);
  if (!bottom)
    return bottom.takeError();
  if (*bottom)
    least = std::min(least, (*bottom)->arenaBytes);
  for (int64_t step = 1; step <= limitsBetween && least < most; ++step) {
    CompileJob way = job;
    way.codegen.arenaLimit = most - (most - least) * step / limitsBetween;
    if (Error error = add(way, "--arena-limit " + std::to_string(*way.codegen.arenaLimit)))
      return std::move(error);
  }
  keepBest(table.points);
  return table;
}

void printFitTable(const FitTable &table, raw_ostream &out) {
  out << table.model << " for " << table.target << ": what RAM costs, by "
      << (table.isCounted ? "instructions counted on an emulated board"
                          : "an estimate of the work on feature maps in row tiles")
      << "\n      arena        flash      weights  of default   instructions  flags\n";
  for (const FitPoint &point : table.points)
    out << right_justify(kibibytes(point.arenaBytes), 12) << " "
        << right_justify(point.flashBytes ? kibibytes(*point.flashBytes) : "-", 12) << " "
        << right_justify(kibibytes(point.weightsBytes), 12) << format(" %11.3f ", point.work / table.defaultWork)
        << right_justify(table.isCounted ? grouped(point.work) : "-", 14) << "  "
        << (point.flags.empty() ? "(none)" : point.flags) << "\n";
  if (!table.isCounted)
    out << "flash and instructions are counted with --measure, for microcontrollers\n";
  if (table.speedIsDefault)
    out << "--fit speed finds nothing that is faster\n";
}

json::Object jsonOf(const FitTable &table) {
  json::Array points;
  for (const FitPoint &point : table.points) {
    json::Object object{{"flags", point.flags},
                        {"arena", point.arenaBytes},
                        {"weights", point.weightsBytes},
                        {"of_default", point.work / table.defaultWork}};
    if (point.flashBytes)
      object["flash"] = *point.flashBytes;
    if (table.isCounted)
      object["instructions"] = static_cast<int64_t>(point.work + 0.5);
    points.push_back(std::move(object));
  }
  return json::Object{{"model", utf8(table.model)},
                      {"target", table.target},
                      {"counted", table.isCounted},
                      {"speed_is_default", table.speedIsDefault},
                      {"points", std::move(points)}};
}

} // namespace sinter
