// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps of a compilation, and does around each of them what was asked for: dumps, checks, times.
#pragma once

#include "pass_context.h"

#include "mlir/Support/Timing.h"
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sinter {

/// Looks at the IR behind a pass.
using ObserveFn = std::function<void(llvm::StringRef pass, mlir::ModuleOp module)>;

/// For any pass of pass_table.h.
struct PassOptions {
  std::vector<std::string> disabledPasses; ///< --disable-pass=NAME
  std::vector<std::string> dumpAfter;      ///< --dump-after=PASS; "all": after each
  llvm::raw_ostream *dumpStream = nullptr; ///< where dumps go; stderr if null
  bool dumpChoices = false; ///< --dump-choices: of each contraction the kernels that were asked, and their answers
  bool timePasses = false;  ///< --time-passes: a table of what each took, on stderr at the end
  bool verifyEach = false;  ///< --verify-each: the IR has to be valid after each
  ObserveFn observe;        ///< called after each pass, if there is one

  /// Nullopt, or what is wrong: a pass unknown, or one that cannot be switched off.
  std::optional<std::string> problem() const;
};

class PassRunner {
public:
  /// `options` must outlive the runner.
  PassRunner(const PassOptions &options, PassContext context);

  /// Runs the pass, unless it is switched off.
  mlir::LogicalResult run(llvm::StringRef name, mlir::ModuleOp module);
  /// The same of a pass that takes more than the module: `step` runs it.
  mlir::LogicalResult run(llvm::StringRef name, mlir::ModuleOp module, llvm::function_ref<mlir::LogicalResult()> step);
  /// What runs in `trials` is on copies that are thrown away: neither dumped nor observed.
  void onCopies(llvm::function_ref<void()> trials);

  /// What passes get from now on.
  PassContext context;

  bool isDisabled(llvm::StringRef name) const;
  /// The passes to be dumped after which did not run.
  std::vector<std::string> notDumped() const;

private:
  llvm::raw_ostream &stream() const;
  void dump(llvm::StringRef name, mlir::ModuleOp module);

  const PassOptions &options;
  bool isOnCopies = false;
  std::set<std::string> dumped;
  mlir::DefaultTimingManager manager; ///< prints when it goes, which is after `times`
  mlir::TimingScope times;
};

} // namespace sinter
