// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel computes a contraction as its operands lie in memory: the one that its constant operand is packed for,
// where that can read the others, else of those that can the cheapest (kernels/kernel_choice.h). On buffers, because
// strides decide. What each kernel answered stays with the op, for --dump-choices and the report.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "kernels/kernel_choice.h"
#include "kernels/tuning_site.h"
#include "passes/support/choices.h"

#include "llvm/Support/Format.h"
#include <set>

using namespace mlir;

namespace sinter {
namespace {

/// A contraction on buffers.
template <class Visit>
void forEachContraction(ModuleOp module, Visit visit) {
  module.walk([&](Operation *op) {
    if (auto conv = dyn_cast<ConvOp>(op); conv && isa<MemRefType>(conv.getInput().getType()))
      visit(conv);
    else if (auto matmul = dyn_cast<MatmulOp>(op); matmul && isa<MemRefType>(matmul.getLhs().getType()))
      visit(matmul);
  });
}

/// A template of its own on buffers.
template <class Visit>
void forEachTemplate(ModuleOp module, Visit visit) {
  module.walk([&](KernelOp op) {
    if (op.hasPureBufferSemantics())
      visit(op);
  });
}

/// "matmul y", with the names of the ONNX values that it makes; a template by its name.
void printHead(Operation *op, raw_ostream &out) {
  auto kernel = dyn_cast<KernelOp>(op);
  out << (kernel ? kernel.getKernel() : op->getName().stripDialect());
  std::set<std::string> names;
  for (const ValueName &name : valueNamesIn(op->getLoc()))
    names.insert(name.name);
  for (const std::string &name : names)
    out << ' ' << name;
  out << '\n';
}

void printTaken(Operation *op, CandidatesAttr candidates, KernelAttr taken, raw_ostream &out) {
  printHead(op, out);
  for (CandidateAttr candidate : candidates.getAll()) {
    out << "  " << candidate.getKernel() << ": " << candidate.getAnswer();
    if (FloatAttr estimate = candidate.getEstimate())
      out << llvm::format(", costs about %.0f", estimate.getValueAsDouble());
    if (candidate.getKernel() == taken.getName() && taken.has("choice"))
      out << " (" << taken.text("choice") << ')';
    out << '\n';
  }
}

} // namespace

void printChoices(ModuleOp module, raw_ostream &out) {
  forEachContraction(module, [&](auto contraction) {
    if (CandidatesAttr candidates = contraction.getCandidatesAttr())
      printTaken(contraction, candidates, contraction.getKernelAttr(), out);
  });
  forEachTemplate(module, [&](KernelOp op) {
    if (auto candidates = op->getAttrOfType<CandidatesAttr>("candidates"))
      printTaken(op, candidates, chosenKernel(op), out);
  });
}

void printChoice(Operation *contraction, StringRef kernel, raw_ostream &out) {
  printHead(contraction, out);
  for (CandidateAttr candidate : contraction->getAttrOfType<CandidatesAttr>("candidates").getAll())
    if (candidate.getKernel() == kernel) {
      out << "  " << kernel << ": " << candidate.getAnswer();
      if (FloatAttr estimate = candidate.getEstimate())
        out << llvm::format(", about %.1f us", estimate.getValueAsDouble());
      out << '\n';
    }
}

/// Of a contraction that no kernel's packing has settled: those that could compute it too, unless they are estimated to
/// take several times as long.
template <class Contraction>
static KernelAttr tunedKernel(Contraction op, const KernelChoice &choice, const Target &target,
                              const TunedChoices &tuned) {
  constexpr double worthATry = 3;
  std::vector<std::string> options = {choice.kernel.getName().str()};
  std::optional<double> best;
  for (CandidateAttr candidate : choice.candidates.getAll())
    if (candidate.getAnswer() == "taken" && candidate.getEstimate())
      best = candidate.getEstimate().getValueAsDouble();
  for (CandidateAttr candidate : choice.candidates.getAll())
    if (FloatAttr estimate = candidate.getEstimate();
        candidate.getAnswer() == "could, too" && best && estimate && estimate.getValueAsDouble() < *best * worthATry)
      options.push_back(candidate.getKernel().str());
  TuningSite site("kernel", op, options, tuned);
  KernelAttr kernel = site.taken ? settledKernel(op, site.options[site.taken], target) : choice.kernel;
  return site.notedIn(kernel, tuned);
}

LogicalResult chooseKernels(ModuleOp module, const Target &target, const TunedChoices &tuned) {
  bool isDone = true;
  forEachContraction(module, [&](auto contraction) {
    KernelChoice choice = chooseKernel(contraction, target);
    contraction.setCandidatesAttr(choice.candidates);
    if (choice.kernel)
      contraction.setKernelAttr(tunedKernel(contraction, choice, target, tuned));
    else
      isDone = (contraction.emitError("internal error: no kernel computes this contraction"), false);
  });
  forEachTemplate(module, [&](KernelOp op) {
    KernelChoice choice = chooseKernel(op, target);
    if (!choice.kernel)
      return;
    op->setAttr("chosen", choice.kernel);
    op->setAttr("candidates", choice.candidates);
  });
  return success(isDone);
}

} // namespace sinter
