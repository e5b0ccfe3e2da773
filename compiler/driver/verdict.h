// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What outputs are held to, and what comes of it: for people and as JSON.
#pragma once

#include "driver/compare.h"
#include "driver/data_sets.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace sinter {

struct ModelReport;

struct Tolerance {
  double share = 0;                 ///< of the largest value
  llvm::StringMap<double> scales;   ///< by name: what it is a share of, where that is more
  llvm::StringMap<double> ranges;   ///< by name: the same, where the function that makes an output bounds it
  llvm::StringMap<double> steps;    ///< by name: what is enough in any case
  llvm::StringMap<double> spacings; ///< by name: the same, as a share of the largest value
};

/// How far each side is from an evaluation in float64, where they differ.
struct Settled {
  double ours = 0, theirs = 0;   ///< the largest difference
  std::optional<double> rounded; ///< the same of an evaluation that rounds to half types after each operator
  double exact = 0;              ///< the worst element
  bool oursIsNearer() const { return ours < theirs; }
  /// Roundings are noise, of which `rounded` has one draw: another may be as far off the other way.
  bool oursIsWithinRoundings() const { return rounded && ours <= 2 * *rounded; }
};

/// Of one output on one data set.
struct Verdict {
  std::string name;
  ElementType type = ElementType::Undefined;
  Comparison comparison; ///< `largest` is what the tolerance is a share of
  double share = 0, step = 0;
  bool isClose = false, isWithinStep = false, isOfRange = false;
  double actual = 0, expected = 0; ///< the worst element's
  bool isByOnnxruntime = false;    ///< what was expected
  std::optional<Settled> settled;
  std::string notSettled; ///< why there is no such evaluation, where one was asked for

  /// Who is nearer to the exact result than onnxruntime, which computes half types in float where it can, or than the
  /// standard's own roundings to half types, is not at fault. What a user recorded or gave is what he wants.
  bool isGood() const {
    return isClose || (isByOnnxruntime && settled && (settled->oursIsNearer() || settled->oursIsWithinRoundings()));
  }
};

Verdict judge(const HostArray &actual, const HostArray &expected, const Tolerance &tolerance);
/// Fills in `settled`, where verdicts are not close. `actual`: the program's outputs, by verdict.
void settle(std::vector<Verdict> &verdicts, llvm::ArrayRef<HostArray> actual, llvm::ArrayRef<HostArray> expected,
            const DataSet &set, const BuiltProgram &built);
void print(const Verdict &verdict, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const Verdict &verdict);

} // namespace sinter
