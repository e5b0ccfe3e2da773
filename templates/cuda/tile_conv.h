// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution as a product on the matrix unit, without a copy of its windows: pixels and channels NHWC, or planes,
// filters [filter][kernel row][kernel column][channel]. Row i of A is output pixel i; its k runs over (r, s, channel),
// where each chunk lies within one (r, s). Grid and block: tile_gemm.h with m = images * outputs, n = filters.
#pragma once

#include "templates/cuda/conv_shape.h"
#include "templates/cuda/split_k.h"

namespace sinter::cuda {
namespace {

/// A's rows. kAligned: a pixel's channels are whole chunks; else, and of planes, elements are taken one by one.
template <class T, bool kAligned>
struct Windows {
  const T *data;
  ConvShape shape;

  /// 0 outside of the picture, as floats are.
  SINTER_DEVICE T at(int pixel, int p) const {
    const int tap = p / shape.channels, line = pixel / shape.outWidth;
    const int y = line % shape.outHeight * shape.strideY - shape.padTop + tap / shape.kernelWidth * shape.dilationY;
    const int x = pixel % shape.outWidth * shape.strideX - shape.padLeft + tap % shape.kernelWidth * shape.dilationX;
    const T *const image = data + line / shape.outHeight * shape.image();
    return shape.contains(y, x) ? image[shape.place(y, x, p % shape.channels)] : T(0);
  }

  template <class Tile, int kCount>
  class Cursor {
  public:
    SINTER_DEVICE Cursor(const Windows &windows, int firstRow, int firstStep)
        : data(windows.data), shape(windows.shape) {
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < kCount; ++i) {
        const int pixel = firstRow + Tile::ownRow() + i * Tile::kPass;
        const int x = pixel % shape.outWidth, line = pixel / shape.outWidth;
        const int y = line % shape.outHeight, image = line / shape.outHeight;
        left[i] = x * shape.strideX - shape.padLeft;
        // A row past the last is above every picture: nothing of it is read.
        top[i] = pixel < shape.rows() ? y * shape.strideY - shape.padTop : -(1 << 28);
        base[i] = data + image * shape.image();
      }
      k = firstStep * Tile::kStep + Tile::ownChunk() * kPerChunk<T>;
      place();
    }
    SINTER_DEVICE void copy(int i, SharedPlace to, bool isThere) const {
      if constexpr (kAligned) {
        const bool isInDepth = shape.depth() % Tile::kStep == 0 || k < shape.depth();
        const bool isInside = shape.contains(top[i] + y, left[i] + x) && isInDepth;
        if (shape.outside == 0 || isInside) { // else a chunk behind the last k meets zeros
          copyChunk(to, isInside ? at(i, y, x, channel) : data, isInside ? 16 : 0, isThere);
        } else if (isThere) {
          const uint32_t word = shape.outsideWord();
          storeShared(to, Chunk{{word, word, word, word}});
        }
      } else if (isThere) {
        gather(i, to);
      }
    }
    SINTER_DEVICE void advance() {
      k += Tile::kStep;
      place();
    }

  private:
    SINTER_DEVICE void gather(int i, SharedPlace to) const {
      Pack<T, kPerChunk<T>> chunk{};
      int row = y, column = x, c = channel;
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < kPerChunk<T>; ++e) {
        const bool isInside = shape.contains(top[i] + row, left[i] + column);
        if (k + e < shape.depth() && isInside)
          chunk.at[e] = *at(i, row, column, c);
        else if constexpr (sizeof(T) == 1)
          chunk.at[e] = T(shape.outside);
        if (++c == shape.channels)
          c = 0, column += shape.dilationX;
        if (column == shape.kernelWidth * shape.dilationX)
          column = 0, row += shape.dilationY;
      }
      storeShared(to, chunkOf(chunk));
    }
    /// (y, x, channel) of k.
    SINTER_DEVICE void place() {
      channel = k % shape.channels;
      const int tap = k / shape.channels;
      x = tap % shape.kernelWidth * shape.dilationX;
      y = tap / shape.kernelWidth * shape.dilationY;
    }
    SINTER_DEVICE const T *at(int i, int row, int column, int c) const {
      return base[i] + shape.place(top[i] + row, left[i] + column, c);
    }

    const T *data, *base[kCount];
    ConvShape shape;
    int top[kCount], left[kCount]; ///< each row's window
    int k, y, x, channel;          ///< of this thread's chunk; y and x inside of the window
  };
};

/// visit(A): rows of a matrix where windows are pixels, which takes less than windows do.
template <bool kAligned, class T, class Visit>
SINTER_DEVICE void withRowsOf(const T *in, const ConvShape &shape, Visit visit) {
  if (shape.isPointwise()) // known where this is inlined
    visit(MatrixRows<T, kAligned>{in, shape.pixel(), shape.rows(), shape.channels});
  else
    visit(Windows<T, kAligned>{in, shape});
}

/// `epilogue(sum, pixel, filter)`; out: pixels, ldc apart. Filters: ldb apart.
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void conv(const TA *in, const TB *filters, int ldb, TC *out, int ldc, const ConvShape &shape, int n,
                        Epilogue epilogue) {
  const MatrixRows<TB, kAligned> columns{filters, ldb, n, shape.depth()};
  withRowsOf<kAligned>(in, shape, [&](const auto &rows) {
    product<Tile>(rows, columns, out, ldc, shape.rows(), n, shape.depth(), epilogue);
  });
}
/// The same with k in slices: split_k.h.
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void splitConv(const TA *in, const TB *filters, int ldb, TC *out, int ldc, const ConvShape &shape, int n,
                             int splits, typename Tile::Sum *partials, uint32_t *counters, Epilogue epilogue) {
  const MatrixRows<TB, kAligned> columns{filters, ldb, n, shape.depth()};
  withRowsOf<kAligned>(in, shape, [&](const auto &rows) {
    splitProduct<Tile>(rows, columns, out, ldc, shape.rows(), n, shape.depth(), splits, partials, counters, epilogue);
  });
}

/// The same with `epilogue(sum, image, filter, y, x)`.
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void tileConv(const TA *in, const TB *filters, int ldb, TC *out, int ldc, const ConvShape &shape, int n,
                            Epilogue epilogue) {
  conv<Tile, kAligned>(in, filters, ldb, out, ldc, shape, n, OfPixels<Epilogue>{shape, epilogue});
}
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void splitTileConv(const TA *in, const TB *filters, int ldb, TC *out, int ldc, const ConvShape &shape,
                                 int n, int splits, typename Tile::Sum *partials, uint32_t *counters,
                                 Epilogue epilogue) {
  splitConv<Tile, kAligned>(in, filters, ldb, out, ldc, shape, n, splits, partials, counters,
                            OfPixels<Epilogue>{shape, epilogue});
}

} // namespace
} // namespace sinter::cuda
