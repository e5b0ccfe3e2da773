// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.matmul -> the call that its kernel's record describes (compiler/kernels), inside loops over the batch dims
// that cannot be rows.
#include "codegen/bodies/epilogue.h"
#include "codegen/cuda/split_index.h"
#include "codegen/text/element_text.h"
#include "contraction_call.h"
#include "contraction_epilogue.h"
#include "dialect.h"
#include "kernel_list.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

class MatmulPrinter {
public:
  MatmulPrinter(MatmulOp op, ContractionCall call, const CodegenOptions &options, KernelFunction &function)
      : op(op), call(std::move(call)), options(options), function(function), lhs(function.values().view(op.getLhs())),
        rhs(function.values().view(op.getRhs())), out(function.values().view(op.getInits()[0])) {}

  /// The left-hand side is not in memory: `rows` makes it (templates/cuda/normed_rows.h).
  void takeNormed(const PrintedCode &rows) { normed = rows; }

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
    lhsStrides = batchStrides(lhs, 2);
    rhsStrides = batchStrides(rhs, call.isPacked ? rhs.sizes.size() : 2);
    size_t last = lhs.strides.size() - 1;
    bool transposed = op.getTransposeLhs();
    lhsStrides[mDim()] = lhs.strides[transposed ? last : last - 1];
    lhsStep = lhs.strides[transposed ? last - 1 : last];
    depth = lhs.sizes[transposed ? last - 1 : last];
    if (!call.isPacked) {
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

  /// Batches that lie behind each other in every operand are more rows of one contraction.
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

  static PrintedCode offset(const PrintedCode &pointer, const SizeExpr &address) {
    return address.isConstant(0) ? pointer : PrintedCode(pointer, " + ", address.print());
  }

  FailureOr<Printed> printAll() {
    PrintedCode a = normed ? *normed : function.readPointer(lhs, "a", op.isLhsUnsigned());
    PrintedCode b = function.readPointer(rhs, "b", op.isRhsUnsigned());
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
    bool isShared = options.threads <= 1 || !isMuchWork() || !call.isShared || function.isOnDevice();
    for (const auto &[d, i] : printBatches(loops, isShared)) {
      at.dims[d] = i;
      aBase = aBase + function.local(lhsStrides[d]) * SizeExpr(i);
      bBase = bBase + function.local(rhsStrides[d]) * SizeExpr(i);
      cBase = cBase + function.local(out.strides[d]) * SizeExpr(i);
    }
    if (!isShared)
      shareMatmul(at, aBase, bBase, cBase, m, n);
    FailureOr<PrintedCode> epilogue = printContractionEpilogue(op, options.target, function, [&] {
      return printEpilogue(function, op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps(), at,
                           options.indexCheck);
    });
    if (failed(epilogue))
      return failure();
    Printed printed = printCall(offset(a, aBase), offset(b, bBase), offset(c, cBase), m, n, k, *epilogue);
    if (call.grid && !loops.empty())
      function.body.line("cuda::syncBlock(); // before shared memory is written again");
    while (!loops.empty())
      loops.pop_back();
    return printed;
  }

  /// Loops over the batch dims that are no rows, with the index of each; on a GPU the grid's z is their number.
  SmallVector<std::pair<size_t, Identifier>> printBatches(std::vector<Printer::Block> &loops, bool &isShared) {
    SmallVector<std::pair<size_t, Identifier>> indices;
    SizeExpr count(1);
    for (size_t d = 0; d < mDim(); ++d)
      if (!merged[d]) {
        indices.push_back({d, function.names.make("batch")});
        count = count * function.local(sizes[d]);
      }
    if (function.isOnDevice()) {
      if (indices.empty())
        return indices;
      function.launch.z = count.constant() ? PrintedCode(std::min<int64_t>(*count.constant(), 65535))
                                           : PrintedCode("blocksOf(", count.print(), ", 1, 65535)");
      Identifier item = function.names.make("item");
      loops.push_back(function.body.block("for (int64_t ", item, " = cuda::blockZ(); ", item, " < ", count.print(),
                                          "; ", item, " += cuda::blocksZ())"));
      SmallVector<std::pair<Identifier, SizeExpr>> split;
      for (auto &[d, i] : indices)
        split.push_back({i, function.local(sizes[d])});
      printSplitIndex(function.body, item, split);
      return indices;
    }
    for (auto &[d, i] : indices) {
      PrintedCode begin("0"), end = function.local(sizes[d]).print();
      if (!isShared) {
        auto share = function.share(sizes[d]);
        begin = share.first;
        end = share.second;
        isShared = true;
      }
      loops.push_back(function.body.block("for (int64_t ", i, " = ", begin, "; ", i, " < ", end, "; ++", i, ")"));
    }
    return indices;
  }

  /// Elements of a column of a panel.
  SizeExpr packedDepth() { return call.depth ? SizeExpr(*call.depth) : function.local(depth); }

  bool isMuchWork() const {
    int64_t work = depth.constant().value_or(64);
    for (const SizeExpr &size : out.sizes)
      work *= size.constant().value_or(16);
    return work >= options.leastSharedWork;
  }

  /// The rows from `first` on, `count` of them.
  void takeRows(const SizeExpr &first, const SizeExpr &count, EpilogueCoordinates &at, SizeExpr &aBase, SizeExpr &cBase,
                SizeExpr &m) {
    m = count;
    at.dims[mDim()] = at.dims[mDim()] + first;
    aBase = aBase + first * function.local(lhsStrides[mDim()]);
    cBase = cBase + first * function.local(out.strides[mDim()]);
  }
  void takeColumns(const SizeExpr &first, const SizeExpr &count, EpilogueCoordinates &at, SizeExpr &bBase,
                   SizeExpr &cBase, SizeExpr &n) {
    n = count;
    at.dims[nDim()] = at.dims[nDim()] + first;
    // Panels lie behind each other: column c of a packed operand begins its panel at c * k.
    bBase = bBase + first * (call.isPacked ? packedDepth() : function.local(rhsStrides[nDim()]));
    cBase = cBase + first * function.local(out.strides[nDim()]);
  }

  /// Rows of one contraction are shared where there are enough of them, else its columns, in panels: of a number of
  /// rows that a call has, as the call finds them.
  void shareMatmul(EpilogueCoordinates &at, SizeExpr &aBase, SizeExpr &bBase, SizeExpr &cBase, SizeExpr &m,
                   SizeExpr &n) {
    const SizeExpr rows = sizes[mDim()], columns = sizes[nDim()];
    const int64_t enough = call.leastSharedRows ? call.leastSharedRows : 2 * call.rows;
    const bool isKnown = enough == INT64_MAX || rows.constant();
    if (isKnown && rows.constant().value_or(0) >= enough) {
      auto [first, last] = function.share(rows, call.rows);
      takeRows(first, SizeExpr(last) - SizeExpr(first), at, aBase, cBase, m);
    } else if (isKnown) {
      auto [first, last] = function.share(columns, call.columns);
      takeColumns(first, SizeExpr(last) - SizeExpr(first), at, bBase, cBase, n);
    } else {
      PrintedCode hasMany(rows.print(), " >= ", enough);
      auto [first, last] = function.share(PrintedCode(hasMany, " ? ", rows.print(), " : ", columns.print()),
                                          PrintedCode(hasMany, " ? ", call.rows, " : ", call.columns));
      auto choose = [&](StringRef name, const PrintedCode &ofRows, const PrintedCode &ofColumns) {
        Identifier chosen = function.names.make(name);
        function.body.line("const int64_t ", chosen, " = ", m.print(), " >= ", enough, " ? ", ofRows, " : ", ofColumns,
                           ";");
        return SizeExpr(chosen);
      };
      SizeExpr firstRow = choose("firstRow", first, PrintedCode(0)),
               firstColumn = choose("firstColumn", PrintedCode(0), first);
      PrintedCode share(last, " - ", first);
      SizeExpr rowCount = choose("rowCount", share, m.print()), columnCount = choose("columnCount", n.print(), share);
      takeRows(firstRow, rowCount, at, aBase, cBase, m);
      takeColumns(firstColumn, columnCount, at, bBase, cBase, n);
    }
  }

  Printed printCall(const PrintedCode &a, const PrintedCode &b, const PrintedCode &c, const SizeExpr &m,
                    const SizeExpr &n, const SizeExpr &k, const PrintedCode &epilogue) {
    SizeExpr lhsRow = function.local(lhsStrides[mDim()]), outputRow = function.local(out.strides[mDim()]),
             lhsColumn = function.local(lhsStep);
    auto print = [&](const SizeExpr &size) { return call.hasFixedSizes ? size.printFixed() : size.print(); };
    if (function.isOnDevice())
      launchTiles(call, m * n, m, n, function);
    return printContractionCall(call, function, op.getScratch(), [&](const CallArgument &argument) -> PrintedCode {
      switch (argument.kind) {
      case CallArgument::Counters:
        return countersOf(op, function);
      case CallArgument::Element:
        return PrintedCode("cuda::threadOfGrid<", function.launch.threads, ">()");
      case CallArgument::Lhs:
        return a;
      case CallArgument::Weights:
        return b;
      case CallArgument::Output:
        return c;
      case CallArgument::LhsRow:
        return print(lhsRow);
      case CallArgument::LhsColumn:
        return print(lhsColumn);
      case CallArgument::RhsRow:
        return print(function.local(rhsStep));
      case CallArgument::RhsColumn:
        return print(function.local(rhsStrides[nDim()]));
      case CallArgument::OutputRow:
        return print(outputRow);
      case CallArgument::OutputColumn:
        return print(function.local(out.strides[nDim()]));
      case CallArgument::M:
        return print(m);
      case CallArgument::AllRows:
        return print(function.local(sizes[mDim()]));
      case CallArgument::N:
        return print(n);
      case CallArgument::K:
        return print(k);
      case CallArgument::LhsElements:
        return printLhsElements(PrintedCode(a, " + i * ", lhsRow.printFixed(), " + p * ", lhsColumn.printFixed()),
                                argument.text);
      case CallArgument::RhsElements:
        return printRhsElements(b, k.printFixed(), argument);
      case CallArgument::Epilogue:
        return epilogue;
      case CallArgument::Sum:
        return printSum();
      default:
        llvm_unreachable("no argument of a matrix product");
      }
    });
  }

  PrintedCode printSum() { return isHeldAsFloat(lhs.element) ? PrintedCode("float") : valueText(op.accumulatorType()); }

  /// A function that gives an element, and its name.
  PrintedCode define(const PrintedCode &parameters, const PrintedCode &value) {
    Identifier name = function.names.make("at");
    function.body.line("const auto ", name, " = [&](", parameters, ") { return ", value, "; };");
    return name;
  }
  PrintedCode lessZero(const PrintedCode &address, int64_t zero) {
    return PrintedCode("lessZero<", printSum(), ">(*(", address, "), ", zero, ")");
  }

  PrintedCode printLhsElements(const PrintedCode &address, StringRef bytes) {
    return define("int64_t i, int64_t p", bytes.empty() ? lessZero(address, static_cast<int64_t>(op.getLhsZero()))
                                                        : PrintedCode("byteValue<", PrintedCode::trusted(bytes),
                                                                      ">(uint8_t(*(", address, ")))"));
  }
  PrintedCode printRhsElements(const PrintedCode &b, const PrintedCode &k, const CallArgument &argument) {
    int64_t columns = argument.number;
    PrintedCode address;
    if (columns)
      address = PrintedCode(b, " + (j / ", columns, " * ", k, " + p) * ", columns, " + j % ", columns);
    else
      address = PrintedCode(b, " + p * ", function.local(rhsStep).printFixed(), " + j * ",
                            function.local(rhsStrides[nDim()]).printFixed());
    return define("int64_t p, int64_t j",
                  argument.text.empty()
                      ? lessZero(address, static_cast<int64_t>(op.getRhsZero()))
                      : PrintedCode("packedElement<", columns, ", ", PrintedCode::trusted(argument.text), ">(", b, ", ",
                                    k, ", p, j)"));
  }

  MatmulOp op;
  ContractionCall call;
  const CodegenOptions &options;
  KernelFunction &function;
  const View &lhs, &rhs, &out;
  size_t rank = 0;
  SmallVector<SizeExpr> lhsStrides, rhsStrides, sizes;
  std::vector<SmallVector<SizeExpr>> epilogueStrides;
  SizeExpr lhsStep, rhsStep, depth;
  std::optional<PrintedCode> normed;
  std::vector<bool> merged;
};

} // namespace

FailureOr<Printed> printNormedMatmul(Operation *op, const PrintedCode &rows, const CodegenOptions &options,
                                     KernelFunction &function) {
  auto matmul = cast<MatmulOp>(op);
  MatmulPrinter printer(matmul, kernelOf(matmul)->normed->call(matmul, options.target), options, function);
  printer.takeNormed(rows);
  return printer.print();
}

FailureOr<Printed> printMatmul(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  auto matmul = cast<MatmulOp>(op);
  const MatmulKernel *kernel = kernelOf(matmul);
  if (!kernel)
    return op->emitOpError("has no kernel: choose-kernels has not seen it");
  return MatmulPrinter(matmul, kernel->call(matmul, options.target), options, function).print();
}

} // namespace sinter
