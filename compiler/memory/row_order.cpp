// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks from the shapes of buffers. check.cpp derives them on its own and runs them.
#include "row_order.h"

#include "ir/row_window.h"
#include "kernels/kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {

namespace {

int64_t elementBytes(Value map) {
  return llvm::divideCeil(cast<ShapedType>(map.getType()).getElementTypeBitWidth(), 8);
}

/// Bytes from one index of dim `dim` to the next, if all lies gaplessly and dims before it are 1: all of them, or all
/// but the last of them.
std::optional<int64_t> bytesOfRow(Value map, int64_t dim, bool hasPlanes = false) {
  auto type = dyn_cast<ShapedType>(map.getType());
  auto buffer = dyn_cast<MemRefType>(map.getType());
  if (!type || !type.hasStaticShape() || (buffer && !buffer.getLayout().isIdentity()) ||
      !type.getElementType().isIntOrFloat() ||
      llvm::any_of(type.getShape().take_front(hasPlanes ? dim - 1 : dim), [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return ShapedType::getNumElements(type.getShape().drop_front(dim + 1)) * elementBytes(map);
}

std::optional<RowWalk> walkOf(ConvOp conv, OpOperand &input, const Target &target) {
  std::optional<KernelOrder> order = likelyOrderOf(conv, target);
  std::optional<RowWindow> window = order ? rowWindowOf(conv) : std::nullopt;
  if (!window || input.getOperandNumber() != 0)
    return std::nullopt;
  Value in = conv.getInput(), out = conv.getInits()[0];
  // Of planes, which are read side by side, the first one's rows decide: what it has left lies below all that the
  // others have left.
  bool hasPlanes = conv.inputLayout() == "nchw";
  std::optional<int64_t> inBytes = bytesOfRow(in, window->inDim, hasPlanes), outBytes = bytesOfRow(out, window->outDim);
  if (!inBytes || !outBytes)
    return std::nullopt;
  RowWalk walk{order->order, order->rows,    window->outputRows, *outBytes,   window->inputRows,
               *inBytes,     window->stride, window->extent,     window->pad, 1};
  auto pixelBytes = [](Value map) { return cast<ShapedType>(map.getType()).getShape().back() * elementBytes(map); };
  if (order->order == Order::Planes) {
    walk.grain = pixelBytes(in);
    return pixelBytes(out) == walk.grain && elementBytes(in) == elementBytes(out) ? std::optional(walk) : std::nullopt;
  }
  int64_t width = cast<ShapedType>(in.getType()).getDimSize(window->inDim + 1);
  if (!hasPlanes && conv.taps(0) * conv.taps(1) == 1 && conv.getStrides()[0] * conv.getStrides()[1] == 1 &&
      width * pixelBytes(in) == *inBytes && width * pixelBytes(out) == *outBytes) {
    if (walk.order == Order::Windows && order->holdsPixels)
      walk.order = Order::Held;
    walk.step = order->pixels;
    walk.rows *= width; // pixel after pixel
    walk.inRows *= width;
    walk.rowBytes /= width;
    walk.inRowBytes /= width;
  }
  return walk;
}

/// Element by element in the order of memory. Bytes on one side, so that no C++ compiler may take the two for different
/// objects.
std::optional<RowWalk> walkOf(linalg::LinalgOp loops, OpOperand &input) {
  if (loops.getNumDpsInits() != 1 || loops.getNumLoops() == 0 || loops.getNumParallelLoops() != loops.getNumLoops())
    return std::nullopt;
  OpOperand &output = *loops.getDpsInitOperand(0);
  if (!loops.getMatchingIndexingMap(&input).isIdentity() || !loops.getMatchingIndexingMap(&output).isIdentity() ||
      !bytesOfRow(input.get(), 0) || !bytesOfRow(output.get(), 0))
    return std::nullopt;
  int64_t inBytes = elementBytes(input.get()), outBytes = elementBytes(output.get());
  if (inBytes != 1 && outBytes != 1)
    return std::nullopt;
  int64_t elements = cast<ShapedType>(output.get().getType()).getNumElements();
  return RowWalk{Order::Held, 1, elements, outBytes, elements, inBytes, 1, 1, 0, 1};
}

} // namespace

std::optional<RowWalk> rowWalkOf(DestinationStyleOpInterface op, OpOperand &input, const Target &target,
                                 Threads threads) {
  if (threads.count > 1 || target.isGpu()) // rows are made side by side
    return std::nullopt;
  if (auto conv = dyn_cast<ConvOp>(op.getOperation()))
    return walkOf(conv, input, target);
  if (auto loops = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return walkOf(loops, input);
  return std::nullopt;
}

/// The first row of the input that may still be read once row `written` - 1 of the output, or a part of it, is made.
static int64_t firstNeeded(const RowWalk &walk, int64_t written) {
  switch (walk.order) {
  case Order::Held:
    return (written - 1) * walk.stride - walk.pad + walk.extent;
  case Order::Rows:
  case Order::Planes:
    return written * walk.stride - walk.pad;
  case Order::Windows:
    return (written - 1) / walk.step * walk.step * walk.stride - walk.pad;
  }
  llvm_unreachable("no such order");
}

int64_t distanceOf(const RowWalk &walk) {
  if (walk.rows > mostRows) // they are gone through
    return walk.rows * walk.rowBytes;
  int64_t distance = -walk.inRows * walk.inRowBytes;
  for (int64_t written = 1; written <= walk.rows; ++written) { // wherever a step may end
    if (written == walk.rows && walk.order != Order::Windows)
      break; // nothing is read after it
    int64_t next = firstNeeded(walk, written);
    if (next < walk.inRows)
      distance = std::max(distance, written * walk.rowBytes - std::max<int64_t>(next, 0) * walk.inRowBytes);
  }
  return std::min(distance, walk.rows * walk.rowBytes);
}

} // namespace sinter
