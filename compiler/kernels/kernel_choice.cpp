// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_choice.h"

using namespace mlir;

namespace sinter {
namespace {

const std::optional<ConvKernel> &recordFor(const Kernel &kernel, ConvOp) { return kernel.conv; }
const std::optional<MatmulKernel> &recordFor(const Kernel &kernel, MatmulOp) { return kernel.matmul; }
const std::optional<TemplateKernel> &recordFor(const Kernel &kernel, KernelOp op) {
  static const std::optional<TemplateKernel> none;
  return kernel.templateName == op.getKernel() ? kernel.ofTemplate : none;
}

/// By the record's own count, or how long its work takes on a GPU, in nanoseconds.
template <class Contraction>
std::optional<double> estimateOf(const KernelOf<Contraction> &record, Contraction op, const Target &target) {
  if (record.estimate)
    return record.estimate(op, target);
  std::optional<GpuWork> work = record.work ? record.work(op, target) : std::nullopt;
  return work ? std::optional(1000 * timeInSequence(target.gpu, *work).microseconds) : std::nullopt;
}

template <class Contraction>
KernelChoice choose(Contraction op, const Target &target) {
  SmallVector<KernelBid> bids;
  SmallVector<KernelAttr> settled;
  SmallVector<std::pair<StringRef, StringRef>> refusals; // kernel, and why not
  for (const Kernel &kernel : kernels())
    if (const auto &record = recordFor(kernel, op); record && kernel.isForGpu == target.isGpu()) {
      StringRef whyNot;
      settled.push_back(record->settle(op, target, whyNot));
      refusals.emplace_back(kernel.name, whyNot);
      bids.push_back({static_cast<bool>(settled.back()), estimateOf(*record, op, target)});
    }
  std::optional<size_t> best = bestOf(bids);
  Builder b(op.getContext());
  SmallVector<CandidateAttr> candidates;
  for (size_t i = 0; i < bids.size(); ++i)
    candidates.push_back(CandidateAttr::get(b.getContext(), refusals[i].first,
                                            i == best      ? "taken"
                                            : bids[i].fits ? "could, too"
                                                           : refusals[i].second,
                                            bids[i].estimate ? b.getF64FloatAttr(*bids[i].estimate) : FloatAttr()));
  return {best ? settled[*best] : KernelAttr(), CandidatesAttr::get(b.getContext(), candidates)};
}

template <class Contraction>
KernelAttr settle(Contraction op, StringRef name, const Target &target) {
  const Kernel *kernel = kernelNamed(name);
  StringRef whyNot;
  return kernel && recordFor(*kernel, op) ? recordFor(*kernel, op)->settle(op, target, whyNot) : KernelAttr();
}

} // namespace

KernelAttr settledKernel(ConvOp op, StringRef name, const Target &target) { return settle(op, name, target); }
KernelAttr settledKernel(MatmulOp op, StringRef name, const Target &target) { return settle(op, name, target); }

std::optional<size_t> bestOf(ArrayRef<KernelBid> bids) {
  std::optional<size_t> best;
  for (auto [i, bid] : llvm::enumerate(bids)) {
    bool isCheaper = best && bid.estimate && bids[*best].estimate && *bid.estimate < *bids[*best].estimate;
    if (bid.fits && (!best || isCheaper))
      best = i;
  }
  return best;
}

KernelChoice chooseKernel(ConvOp op, const Target &target) { return choose(op, target); }
KernelChoice chooseKernel(MatmulOp op, const Target &target) { return choose(op, target); }
KernelChoice chooseKernel(KernelOp op, const Target &target) {
  KernelChoice choice = choose(op, target);
  if (choice.candidates.getAll().empty())
    choice.candidates = {};
  return choice;
}

} // namespace sinter
