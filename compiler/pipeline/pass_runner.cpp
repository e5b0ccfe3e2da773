// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_runner.h"

#include "pass_table.h"

#include "passes/support/choices.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sinter {

std::optional<std::string> PassOptions::problem() const {
  for (const std::string &name : disabledPasses) {
    const PassInfo *pass = findPass(name);
    if (!pass)
      return "no pass is called '" + name + "'";
    if (!pass->optional)
      return "the pass '" + name + "' cannot be switched off: later steps need what it does";
  }
  for (const std::string &name : dumpAfter)
    if (name != "all" && !findPass(name))
      return "no pass is called '" + name + "'";
  return std::nullopt;
}

PassRunner::PassRunner(const PassOptions &options, PassContext context)
    : context(std::move(context)), options(options) {
  manager.setEnabled(options.timePasses);
  manager.setDisplayMode(DefaultTimingManager::DisplayMode::Tree); // in the order in which they run
  times = manager.getRootScope();
}

raw_ostream &PassRunner::stream() const { return options.dumpStream ? *options.dumpStream : llvm::errs(); }

bool PassRunner::isDisabled(StringRef name) const {
  return findPass(name)->optional && llvm::is_contained(options.disabledPasses, name);
}

LogicalResult PassRunner::run(StringRef name, ModuleOp module) {
  return run(name, module, [&] { return findPass(name)->run(module, context); });
}

LogicalResult PassRunner::run(StringRef name, ModuleOp module, function_ref<LogicalResult()> step) {
  if (isDisabled(name))
    return success();
  TimingScope time = times.nest(name);
  if (failed(step()))
    return failure();
  time.stop();
  if (options.verifyEach && failed(verify(module)))
    return module.emitError("invalid IR after the pass ") << name;
  if (isOnCopies)
    return success();
  if (options.dumpChoices && name == "choose-kernels")
    printChoices(module, stream());
  if (options.dumpChoices && name == "fuse-inverted-residuals")
    printFusedBlocks(module, stream());
  if (options.observe)
    options.observe(name, module);
  if (llvm::is_contained(options.dumpAfter, name) || llvm::is_contained(options.dumpAfter, "all"))
    dump(name, module);
  return success();
}

void PassRunner::onCopies(function_ref<void()> trials) {
  TimingScope outside = std::move(times);
  times = outside.nest("trials");
  isOnCopies = true;
  auto restore = llvm::make_scope_exit([&] {
    isOnCopies = false;
    times = std::move(outside);
  });
  trials();
}

void PassRunner::dump(StringRef name, ModuleOp module) {
  dumped.insert(name.str());
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  stream() << "// after " << name << "\n";
  module->print(stream(), flags);
  stream() << "\n";
}

std::vector<std::string> PassRunner::notDumped() const {
  std::vector<std::string> names;
  for (const std::string &name : options.dumpAfter)
    if (name != "all" && !dumped.count(name))
      names.push_back(name);
  return names;
}

} // namespace sinter
