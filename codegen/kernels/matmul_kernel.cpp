// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.matmul -> a call of templates/panels/gemm.h or one of its kin, inside loops over the batch dims that cannot be
// rows.
#include "codegen/bodies/epilogue.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "dual_kernel.h"
#include "int_conv_kernel.h"
#include "kernel_list.h"
#include "kernels/panels/tile.h"
#include "line_kernel.h"

using namespace mlir;

namespace sinter {
namespace {

class MatmulPrinter {
public:
  MatmulPrinter(MatmulOp op, const CodegenOptions &options, KernelFunction &function)
      : op(op), options(options), function(function), lhs(function.values().view(op.getLhs())),
        rhs(function.values().view(op.getRhs())), out(function.values().view(op.getInits()[0])) {}

  FailureOr<Printed> print() {
    rank = out.sizes.size();
    if (rank < 2)
      return op.emitOpError("needs at least two dims");
    findStrides();
    mergeRows();
    return printAll();
  }

private:
  size_t mDim() const { return rank - 2; }
  size_t nDim() const { return rank - 1; }

  /// The stride of an operand along each batch dim of the output; 0 where it broadcasts.
  SmallVector<SizeExpr> batchStrides(const View &view, size_t own) const {
    SmallVector<SizeExpr> strides(rank);
    size_t batches = view.sizes.size() - own;
    for (size_t d = 0; d < batches; ++d)
      if (!view.sizes[d].isConstant(1))
        strides[rank - 2 - batches + d] = view.strides[d];
    return strides;
  }

  void findStrides() {
    isPacked = op.getKernelAttr() != nullptr;
    lhsStrides = batchStrides(lhs, 2);
    rhsStrides = batchStrides(rhs, isPacked && !isOfLines(op) ? 3 : 2);
    size_t last = lhs.strides.size() - 1;
    bool transposed = op.getTransposeLhs();
    lhsStrides[mDim()] = lhs.strides[transposed ? last : last - 1];
    lhsStep = lhs.strides[transposed ? last - 1 : last];
    depth = lhs.sizes[transposed ? last - 1 : last];
    if (!isPacked) {
      last = rhs.strides.size() - 1;
      transposed = op.getTransposeRhs();
      rhsStrides[nDim()] = rhs.strides[transposed ? last - 1 : last];
      rhsStep = rhs.strides[transposed ? last : last - 1];
    }
    for (auto [input, map] : llvm::zip(op.getEpilogueInputs(), op.getEpilogueMaps())) {
      SmallVector<SizeExpr> strides(rank);
      if (isa<MemRefType>(input.getType())) {
        const View &view = function.values().view(input);
        for (auto [result, stride] : llvm::zip(cast<AffineMapAttr>(map).getValue().getResults(), view.strides))
          if (auto dim = dyn_cast<AffineDimExpr>(result))
            strides[dim.getPosition()] = strides[dim.getPosition()] + stride;
      }
      epilogueStrides.push_back(strides);
    }
  }

  /// Batches that lie behind each other in every operand are more rows of one product.
  void mergeRows() {
    sizes.assign(out.sizes.begin(), out.sizes.end());
    merged.assign(rank, false);
    for (size_t d = mDim(); d-- > 0;) {
      auto continues = [&](ArrayRef<SizeExpr> strides) { return strides[d] == strides[mDim()] * sizes[mDim()]; };
      bool isRow = sizes[d].isConstant(1) || (continues(lhsStrides) && continues(rhsStrides) &&
                                              continues(out.strides) && llvm::all_of(epilogueStrides, continues));
      if (!isRow)
        break;
      merged[d] = true;
      sizes[mDim()] = sizes[mDim()] * sizes[d];
    }
  }

  static Code offset(const Code &pointer, const SizeExpr &address) {
    return address.isConstant(0) ? pointer : Code(pointer, " + ", address.print());
  }

  FailureOr<Printed> printAll() {
    Code a = function.readPointer(lhs, "a", op.isLhsUnsigned()), b = function.readPointer(rhs, "b", op.isRhsUnsigned());
    Identifier c = function.pointer(out, "y", true);
    SizeExpr m = function.local(sizes[mDim()]), n = function.local(sizes[nDim()]), k = function.local(depth);
    EpilogueCoordinates at;
    at.parameters = {function.names.make("i"), function.names.make("j")};
    at.lane = at.parameters[1];
    at.dims.resize(rank);
    at.dims[mDim()] = at.parameters[0];
    at.dims[nDim()] = at.parameters[1];
    std::vector<Printer::Block> loops;
    SizeExpr aBase, bBase, cBase;
    bool isShared = options.threads <= 1 || !isMuchWork() || isDual();
    for (size_t d = 0; d < mDim(); ++d) {
      if (merged[d])
        continue;
      Identifier i = function.names.make("batch");
      Code begin("0"), end = function.local(sizes[d]).print();
      if (!isShared) {
        auto share = function.share(sizes[d]);
        begin = share.first;
        end = share.second;
        isShared = true;
      }
      loops.push_back(function.body.block("for (int64_t ", i, " = ", begin, "; ", i, " < ", end, "; ++", i, ")"));
      at.dims[d] = i;
      aBase = aBase + function.local(lhsStrides[d]) * SizeExpr(i);
      bBase = bBase + function.local(rhsStrides[d]) * SizeExpr(i);
      cBase = cBase + function.local(out.strides[d]) * SizeExpr(i);
    }
    if (!isShared)
      shareProduct(at, aBase, bBase, cBase, m, n);
    std::optional<Code> known = isOfLines(op) ? printRequantize(op, options.target, function) : std::nullopt;
    FailureOr<Code> epilogue = known ? FailureOr<Code>(*known) : printDualEpilogue(op, function, [&] {
      return printEpilogue(function, op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps(), at,
                           options.indexCheck);
    });
    if (failed(epilogue))
      return failure();
    Printed printed = printCall(offset(a, aBase), offset(b, bBase), offset(c, cBase), m, n, k, *epilogue);
    while (!loops.empty())
      loops.pop_back();
    return printed;
  }

  bool isDual() { return isPacked && op.getKernelAttr().getName() == "dual_matmul"; }
  bool isOfQuads() { return isPacked && op.getKernelAttr().getName() == "int_gemm"; }
  /// Columns of a panel, or of a tile where there are none.
  int64_t panelColumns() {
    if (!isPacked)
      return tileFor(options.target).columns;
    return *rhs.sizes.back().constant() / (isOfQuads() ? 4 : 1);
  }
  /// Elements of a column of a panel.
  SizeExpr packedDepth() { return isOfQuads() ? SizeExpr(*rhs.sizes[1].constant() * 4) : function.local(depth); }

  bool isMuchWork() const {
    int64_t work = depth.constant().value_or(64);
    for (const SizeExpr &size : out.sizes)
      work *= size.constant().value_or(16);
    return work >= options.leastSharedWork;
  }

  /// Rows of one product are shared where there are enough of them, else its columns, in panels.
  void shareProduct(EpilogueCoordinates &at, SizeExpr &aBase, SizeExpr &bBase, SizeExpr &cBase, SizeExpr &m,
                    SizeExpr &n) {
    int64_t columns = panelColumns();
    int64_t rows = tileRows(options.target, columns);
    if (sizes[mDim()].constant().value_or(4 * rows) >= 2 * rows) {
      auto [first, last] = function.share(sizes[mDim()], rows);
      m = SizeExpr(last) - SizeExpr(first);
      at.dims[mDim()] = at.dims[mDim()] + SizeExpr(first);
      aBase = aBase + SizeExpr(first) * function.local(lhsStrides[mDim()]);
      cBase = cBase + SizeExpr(first) * function.local(out.strides[mDim()]);
      return;
    }
    auto [first, last] = function.share(sizes[nDim()], columns);
    n = SizeExpr(last) - SizeExpr(first);
    at.dims[nDim()] = at.dims[nDim()] + SizeExpr(first);
    // Panels lie behind each other: column c of a packed operand begins its panel at c * k.
    bBase = bBase + SizeExpr(first) * (isPacked ? packedDepth() : function.local(rhsStrides[nDim()]));
    cBase = cBase + SizeExpr(first) * function.local(out.strides[nDim()]);
  }

  Printed printCall(const Code &a, const Code &b, const Code &c, const SizeExpr &m, const SizeExpr &n,
                    const SizeExpr &k, const Code &epilogue) {
    if (isDual())
      return printDualMatmul(op, function, a, function.local(lhsStrides[mDim()]).print(), b, c,
                             function.local(out.strides[mDim()]).print(), m.print(), k.print(), epilogue);
    int64_t columns = panelColumns();
    Code tile(tileRows(options.target, columns), ", ", columns);
    SizeExpr lda = function.local(lhsStrides[mDim()]), ldc = function.local(out.strides[mDim()]);
    SizeExpr step = function.local(lhsStep);
    Code sizesText(m.printFixed(), ", ", n.printFixed(), ", ", k.printFixed());
    if (isOfLines(op))
      return printLineMatmul(op, options.target, function, a, lda.printFixed(), b, c, ldc.printFixed(), sizesText,
                             epilogue);
    Type element = lhs.element, sumType = op.getEpilogue().front().getArgument(0).getType();
    bool isIntegerTile = sumType.isInteger(32) && !op.getLhsZero() && !op.getRhsZero();
    bool hasTile = (isa<FloatType>(element) || isIntegerTile) && out.strides[nDim()].isConstant(1);
    if (isOfQuads())
      function.need("templates/quads/int_gemm.h");
    if (isOfQuads() && lhsStep.isConstant(1) && out.strides[nDim()].isConstant(1)) {
      function.body.line("intGemm<", tile, ", ", byteKind(op, op.isLhsUnsigned()), ">(", a, ", ", lda.printFixed(),
                         ", ", b, ", ", c, ", ", ldc.printFixed(), ", ", sizesText, ", ", epilogue, ");");
      return {"matmul", "bytes, constant right-hand side: four products to a lane"};
    }
    if (hasTile && isPacked && lhsStep.isConstant(1)) {
      function.need("templates/panels/gemm.h");
      function.body.line("gemm<", tile, ">(", a, ", ", lda.printFixed(), ", ", b, ", ", c, ", ", ldc.printFixed(), ", ",
                         sizesText, ", ", epilogue, ");");
      return {"matmul", "constant right-hand side in panels: gemm"};
    }
    if (hasTile && !isPacked && rhsStrides[nDim()].isConstant(1)) {
      function.need("templates/direct/gemm_unpacked.h");
      function.body.line("gemmRows<", tile, ">(", a, ", ", lda.printFixed(), ", ", step.printFixed(), ", ", b, ", ",
                         function.local(rhsStep).printFixed(), ", ", c, ", ", ldc.printFixed(), ", ", sizesText, ", ",
                         epilogue, ");");
      return {"matmul", "right-hand side made at run time: gemmRows"};
    }
    if (hasTile && !isPacked && rhsStep.isConstant(1) && lhsStep.isConstant(1)) {
      function.need("templates/direct/gemm_unpacked.h");
      function.body.line("gemmDots(", a, ", ", lda.printFixed(), ", ", b, ", ",
                         function.local(rhsStrides[nDim()]).printFixed(), ", ", c, ", ", ldc.printFixed(), ", ",
                         sizesText, ", ", epilogue, ");");
      return {"matmul", "transposed right-hand side made at run time: gemmDots"};
    }
    function.need("templates/direct/matmul_direct.h");
    Code sum = isHeldAsFloat(element) ? Code("float") : valueText(sumType);
    Identifier x = function.names.make("at"), y = function.names.make("at");
    auto define = [&](const Identifier &name, const Code &parameters, const Code &value) {
      function.body.line("const auto ", name, " = [&](", parameters, ") { return ", value, "; };");
    };
    auto lessZero = [&](const Code &element, int64_t zero) {
      return Code("lessZero<", sum, ">(*(", element, "), ", zero, ")");
    };
    Code inLhs(a, " + i * ", lda.printFixed(), " + p * ", step.printFixed());
    Code inRhs(b, " + p * ", function.local(rhsStep).printFixed(), " + j * ",
               function.local(rhsStrides[nDim()]).printFixed());
    if (isPacked)
      inRhs = Code(b, " + (j / ", columns, " * ", k.printFixed(), " + p) * ", columns, " + j % ", columns);
    Code left = lessZero(inLhs, static_cast<int64_t>(op.getLhsZero())),
         right = lessZero(inRhs, static_cast<int64_t>(op.getRhsZero()));
    if (isOfQuads()) {
      left = Code("byteValue<", byteKind(op, op.isLhsUnsigned()), ">(uint8_t(*(", inLhs, ")))");
      right = Code("packedByte<", columns, ">(", b, ", ", k.printFixed(), ", p, j)");
    }
    define(x, "int64_t i, int64_t p", left);
    define(y, "int64_t p, int64_t j", right);
    function.body.line("matmulDirect<", sum, ">(", x, ", ", y, ", ", c, ", ", ldc.print(), ", ",
                       function.local(out.strides[nDim()]).print(), ", ", m.print(), ", ", n.print(), ", ", k.print(),
                       ", ", epilogue, ");");
    return {"matmul", "strides or types that no tile takes: matmulDirect"};
  }

  MatmulOp op;
  const CodegenOptions &options;
  KernelFunction &function;
  const View &lhs, &rhs, &out;
  size_t rank = 0;
  bool isPacked = false;
  SmallVector<SizeExpr> lhsStrides, rhsStrides, sizes;
  std::vector<SmallVector<SizeExpr>> epilogueStrides;
  SizeExpr lhsStep, rhsStep, depth;
  std::vector<bool> merged;
};

} // namespace

FailureOr<Printed> printMatmul(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  return MatmulPrinter(cast<MatmulOp>(op), options, function).print();
}

} // namespace sinter
