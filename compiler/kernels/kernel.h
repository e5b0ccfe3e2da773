// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel: a function template of templates/ that computes a contraction, as the compiler sees it. Each has a file in
// the room of its family, which templates/ has under the same name; the list is made from these files
// (cmake/SinterLists.cmake). docs/adding-a-kernel.md shows a whole one.
//   passes/packing             puts constant operands in a kernel's order, and names it: #sinter.kernel
//   passes/buffers             choose-kernels: what computes a contraction as its operands lie; place-scratch
//   memory                     which outputs may lie over their inputs
//   codegen/kernels            prints the call
#pragma once

#include "contraction_call.h"
#include "cuda/support/gpu_time.h"
#include "ir/dialect.h"
#include "kernel_order.h"
#include "target/target.h"

namespace sinter {

struct TileWay; // cuda/support/tile_choice.h

/// A buffer that a kernel works in.
struct KernelScratch {
  int64_t bytes = 0;
  unsigned width = 8; ///< bits of its elements
};

/// Of a matrix product: a template beside the kernel's own reads the left-hand side's rows while it normalises them
/// (templates/cuda/normed_rows.h).
struct NormedForm {
  /// The fastest first; none where it cannot be.
  std::vector<TileWay> (*ways)(MatmulOp op, const Target &target);
  /// By the tile that the op's kernel says.
  ContractionCall (*call)(MatmulOp op, const Target &target);
  std::optional<GpuWork> (*work)(MatmulOp op, const Target &target);
};

template <class Contraction>
struct KernelOf {
  /// The op's #sinter.kernel with this one in it, on buffers; null where this kernel cannot compute the op as its
  /// operands lie, with a word why not.
  KernelAttr (*settle)(Contraction op, const Target &target, llvm::StringRef &whyNot);
  ContractionCall (*call)(Contraction op, const Target &target);
  KernelScratch (*scratch)(Contraction op, const Target &target) = nullptr;
  std::optional<KernelOrder> (*order)(KernelAttr kernel) = nullptr;
  /// What a call costs, in cycles, on microcontrollers in instructions, on GPUs in nanoseconds; nothing where the
  /// kernel cannot tell.
  std::optional<double> (*estimate)(Contraction op, const Target &target) = nullptr;
  /// Whether an epilogue that is no more than a sinter.requantize of the sums is an object of that type
  /// (templates/quantized/requantize.h); else it is a region of scalars as any other.
  bool (*takesRequantize)(const Target &target) = nullptr;
  const NormedForm *normed = nullptr;
  /// Of a GPU's kernel by tiles: all ways, the fastest first, with k in slices where `maySlice`.
  std::vector<TileWay> (*tileWays)(Contraction op, const Target &target, bool maySlice) = nullptr;
  /// Of a GPU's kernel: what a launch does, of which the estimate is made.
  std::optional<GpuWork> (*work)(Contraction op, const Target &target) = nullptr;
};
using ConvKernel = KernelOf<ConvOp>;
using MatmulKernel = KernelOf<MatmulOp>;
/// On a GPU, of a template of its own (sinter.kernel). `call` is of a function with the template's operands and a grid
/// of tiles: a block for `rows` rows of the first output, where all dims but the last two count tiles of their own;
/// null: as codegen/cuda/template_threads.h has it.
using TemplateKernel = KernelOf<KernelOp>;

/// Of one of the two contractions, or of a template. `rank`: of several that can compute a contraction as it lies, the
/// one with the least is taken, unless estimates tell better (kernel_choice.h).
struct Kernel {
  llvm::StringRef name;
  int rank = 0;
  std::optional<ConvKernel> conv;
  std::optional<MatmulKernel> matmul;
  std::optional<TemplateKernel> ofTemplate;
  llvm::StringRef templateName; ///< which template
  bool isForGpu = false;        ///< a kernel of a GPU, or of CPUs

  Kernel(llvm::StringRef name, int rank, ConvKernel conv) : name(name), rank(rank), conv(conv) {}
  Kernel(llvm::StringRef name, int rank, MatmulKernel matmul) : name(name), rank(rank), matmul(matmul) {}
  Kernel(llvm::StringRef name, int rank, TemplateKernel kernel, llvm::StringRef templateName)
      : name(name), rank(rank), ofTemplate(kernel), templateName(templateName), isForGpu(true) {}
  Kernel forGpu() const {
    Kernel kernel = *this;
    kernel.isForGpu = true;
    return kernel;
  }
};

/// All kernels, by rank.
llvm::ArrayRef<Kernel> kernels();
/// The one of that name; null where there is none.
const Kernel *kernelNamed(llvm::StringRef name);
/// The op's own; null where none is chosen.
const ConvKernel *kernelOf(ConvOp op);
const MatmulKernel *kernelOf(MatmulOp op);
const TemplateKernel *kernelOf(KernelOp op);
/// Which function of templates/cuda computes a template of its own: the attribute `chosen`, which choose-kernels sets
/// where several can; null elsewhere.
KernelAttr chosenKernel(KernelOp op);

/// What the record of a contraction's kernel says; false where none is chosen.
bool takesRequantize(mlir::Operation *contraction, const Target &target);

/// The attribute less a parameter.
KernelAttr without(KernelAttr kernel, llvm::StringRef param);

/// `settle` of kernels whose operand has been packed for them, and which take it however it lies.
template <class Contraction>
KernelAttr asPacked(Contraction op, llvm::StringRef name, llvm::StringRef &whyNot) {
  KernelAttr kernel = op.getKernelAttr();
  if (kernel && kernel.getName() == name)
    return kernel;
  whyNot = "its constant operand is not packed for it";
  return {};
}

/// What a convolution's kernel promises; nothing where it promises none.
std::optional<KernelOrder> orderOf(KernelAttr kernel);
/// The same on tensors, of the kernel that the op will most likely have if none is chosen yet.
std::optional<KernelOrder> likelyOrderOf(ConvOp op, const Target &target);

} // namespace sinter
