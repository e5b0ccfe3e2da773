// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.conv -> a call of templates/panels/conv.h, conv_planar.h, depthwise.h, conv_rows.h or conv_direct.h. Which one
// follows from how the filter is packed (compiler/passes/packing/pack_weights.cpp) and from the layout. Bytes:
// int_conv_kernel.cpp, dual_kernel.cpp.
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

/// A feature map: where its dims are in the memref, and its layout as templates/maps/image.h has it.
struct Image {
  const View &view;
  StringRef layout;
  size_t spatial;

  size_t firstSpatial() const { return layout == "nhwc" ? 1 : 2; }
  bool isBlocked() const { return layout == "nchwc"; }
  SizeExpr block() const { return layout == "nchw" ? SizeExpr(1) : view.sizes.back(); }
  SizeExpr channels() const {
    return isBlocked() ? view.sizes[1] * view.sizes.back() : layout == "nhwc" ? view.sizes.back() : view.sizes[1];
  }
  SizeExpr plane() const { return layout == "nhwc" ? SizeExpr(0) : view.strides[1]; }
  SizeExpr size(size_t d) const { return view.sizes[firstSpatial() + d]; }
  SizeExpr stride(size_t d) const { return view.strides[firstSpatial() + d]; }
  /// Height and width; height is 1 where there is one spatial dim.
  SizeExpr height() const { return spatial == 1 ? SizeExpr(1) : size(0); }
  SizeExpr width() const { return size(spatial - 1); }
  SizeExpr row() const { return spatial == 1 ? SizeExpr(0) : stride(0); }
  SizeExpr pixel() const { return stride(spatial - 1); }
};

class ConvPrinter {
public:
  ConvPrinter(ConvOp op, const CodegenOptions &options, KernelFunction &function)
      : op(op), options(options), function(function), spatial(op.getStrides().size()),
        in{function.values().view(op.getInput()), op.inputLayout(), spatial},
        out{function.values().view(op.getInits()[0]), op.outputLayout(), spatial},
        filter(function.values().view(op.getFilter())) {}

  FailureOr<Printed> print() {
    Code a = function.readPointer(in.view, "a", op.isInputUnsigned()),
         w = function.readPointer(filter, "w", op.isFilterUnsigned());
    Identifier y = function.pointer(out.view, "y", true);
    std::optional<Code> known = isOfLines(op) ? printRequantize(op, options.target, function) : std::nullopt;
    // lanes run along channels, or along rows for convRows
    FailureOr<Code> epilogue =
        known ? FailureOr<Code>(*known) : printDualEpilogue(op, function, [&] { return printEpilogueOf(); });
    if (failed(epilogue))
      return failure();
    if (!op.getKernelAttr())
      return printDirect(a, w, y, *epilogue);
    StringRef kernelName = op.getKernelAttr().getName();
    if (spatial > 2)
      return op.emitOpError("packed filters have one or two spatial dims");
    Code shape = printShape();
    Code firstRow = SizeExpr(0).printFixed(), lastRow = function.local(out.height()).printFixed();
    bool isDual = kernelName.starts_with("dual");
    if (options.threads > 1 && isMuchWork() && !isDual) { // one scratch
      auto share = function.share(out.height());
      firstRow = share.first;
      lastRow = share.second;
    }
    if (isDual)
      return printDualConv(op, function, shape, a, w, y, Code(firstRow, ", ", lastRow), *epilogue);
    Code rows(", ", firstRow, ", ", lastRow, ", ", *epilogue, ");");
    if (isOfLines(op))
      return printLineConv(op, options.target, function, {shape, a, w, y, rows, true, 0});
    if (kernelName == "int_conv" || kernelName == "int_depthwise")
      return printIntConv(op, options.target, function,
                          {shape, a, w, y, rows, in.pixel() == in.channels(), *filter.sizes.rbegin()[1].constant()});
    if (kernelName == "depthwise") {
      function.need("templates/panels/depthwise.h");
      int64_t width = op.getStrides().back();
      bool isUsual = (kernel(1) == 3 || kernel(1) == 5) && width <= 2 && op.getDilations().back() == 1;
      function.body.line("depthwise<", isUsual ? kernel(1) : 0, ", ", isUsual ? width : 0, ">(", shape, ", ", a, ", ",
                         w, ", ", y, rows);
      return Printed{"depthwise", "one filter per channel"};
    }
    int64_t columns = *filter.sizes.back().constant();
    Code tile(tileRows(options.target, columns), ", ", columns);
    bool isPlanar = kernelName == "conv_planar";
    function.need(isPlanar ? "templates/panels/conv_planar.h" : "templates/panels/conv.h");
    function.body.line(isPlanar ? Code("convPlanar<") : Code("conv<"), tile, ">(", shape, ", ", a, ", ", w, ", ", y,
                       rows);
    return Printed{"conv", isPlanar ? "reads plain channels" : "channels in blocks: implicit gemm"};
  }

private:
  /// Taps in height (0) and width (1).
  int64_t kernel(size_t d) {
    if (spatial == 1)
      return d == 0 ? 1 : op.taps(0);
    return op.taps(static_cast<int64_t>(d));
  }

  /// The low pad of a spatial dim.
  SizeExpr pad(size_t d) {
    return d == 0 && op.getRowPad() ? function.values().size(op.getRowPad()) : SizeExpr(op.getPads()[d]);
  }

  /// Whether threads are worth their start; only rows are shared.
  bool isMuchWork() const {
    int64_t work = 1;
    for (const SizeExpr &size : out.view.sizes)
      work *= size.constant().value_or(16);
    return out.height().constant().value_or(2) > 1 &&
           work * in.channels().constant().value_or(16) >= options.leastSharedWork;
  }

  FailureOr<Code> printEpilogueOf() {
    EpilogueCoordinates at;
    size_t rank = out.view.sizes.size();
    at.dims.resize(rank);
    Identifier n = function.names.make("n"), c = function.names.make("c");
    at.parameters = {n, c};
    at.lane = c;
    at.dims[0] = n;
    if (spatial == 1 && op.getKernelAttr())
      at.parameters.push_back(function.names.make("h")); // always 0
    const char *axes[] = {"d", "h", "w"};
    for (size_t d = 0; d < spatial; ++d) {
      Identifier position = function.names.make(spatial > 3 ? "s" : axes[3 - spatial + d]);
      at.parameters.push_back(position);
      at.dims[out.firstSpatial() + d] = position;
      if (runsAlongRows() && d + 1 == spatial)
        at.lane = position;
    }
    if (!out.isBlocked())
      at.dims[out.layout == "nhwc" ? rank - 1 : 1] = c;
    else if (out.view.sizes[1].isConstant(1))
      at.dims[rank - 1] = c;
    else {
      at.block = *out.view.sizes.back().constant();
      at.blockDim = 1;
      at.innerDim = rank - 1;
    }
    return printEpilogue(function, op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps(), at,
                         options.indexCheck);
  }

  /// Plain channels whose rows are dense, and no packed filter: lanes run along rows.
  bool runsAlongRows() {
    return !op.getKernelAttr() && in.layout == "nchw" && out.layout == "nchw" && in.pixel().isConstant(1) &&
           out.pixel().isConstant(1);
  }

  int64_t attribute(ArrayRef<int64_t> values, size_t d, int64_t absent) const {
    if (spatial == 1)
      return d == 0 ? absent : values[0];
    return values[d];
  }

  Code layoutText(const Image &image) const {
    std::vector<Code> parts;
    for (const SizeExpr &part : {image.block(), image.view.strides[0], image.plane(), image.row(), image.pixel()})
      parts.push_back(function.local(part).print());
    return Code("{", joinCode(parts), "}");
  }

  /// The argument that says the sizes: an object of a type that has those that are known as constants, and the others
  /// as members.
  Code printShape() {
    ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
    std::pair<const char *, SizeExpr> sizes[] = {{"batch", in.view.sizes[0]},
                                                 {"channels", in.channels()},
                                                 {"height", in.height()},
                                                 {"width", in.width()},
                                                 {"filters", out.channels()},
                                                 {"outHeight", out.height()},
                                                 {"outWidth", out.width()},
                                                 {"kernelH", kernel(0)},
                                                 {"kernelW", kernel(1)},
                                                 {"strideH", attribute(strides, 0, 1)},
                                                 {"strideW", attribute(strides, 1, 1)},
                                                 {"dilationH", attribute(dilations, 0, 1)},
                                                 {"dilationW", attribute(dilations, 1, 1)},
                                                 {"padTop", spatial == 1 ? SizeExpr(0) : pad(0)},
                                                 {"padLeft", pad(spatial - 1)},
                                                 {"groups", static_cast<int64_t>(op.getGroup())}};
    std::vector<Code> known, members, values;
    for (const auto &[name, value] : sizes)
      if (value.constant())
        known.push_back(Code(Code::trusted(name), " = ", value.print()));
      else
        addMember("int64_t", name, function.local(value).print(), members, values);
    constexpr size_t onFirstLine = 7;
    size_t first = std::min(onFirstLine, known.size());
    Code integers("  [[maybe_unused]] static constexpr int64_t ");
    Code body(integers, joinCode(ArrayRef(known).take_front(first)), ";\n", integers,
              joinCode(ArrayRef(known).drop_front(first)), ";\n");
    for (auto [image, name] : {std::pair(&in, "in"), std::pair(&out, "out")})
      if (isStatic(*image))
        body = Code(body, "  [[maybe_unused]] static constexpr ImageLayout ", Code::trusted(name), " = ",
                    layoutText(*image), ";\n");
      else
        addMember("ImageLayout", name, layoutText(*image), members, values);
    for (const Code &member : members)
      body = Code(body, "  ", member, "\n");
    function.need("templates/maps/image.h");
    return Code(function.declareStruct("ConvSizes", body), "{", joinCode(values), "}");
  }

  static void addMember(const char *type, const char *name, Code value, std::vector<Code> &members,
                        std::vector<Code> &values) {
    members.push_back(Code(Code::trusted(type), " ", Code::trusted(name), ";"));
    values.push_back(std::move(value));
  }

  static bool isStatic(const Image &image) {
    return image.block().constant() && image.plane().constant() && image.row().constant() && image.pixel().constant() &&
           image.view.strides[0].constant();
  }

  FailureOr<Printed> printDirect(const Code &a, const Code &w, const Identifier &y, const Code &epilogue) {
    bool alongRows = runsAlongRows();
    function.need(alongRows ? "templates/direct/conv_rows.h" : "templates/direct/conv_direct.h");
    Type sum = op.getEpilogue().front().getArgument(0).getType();
    Identifier shape = function.names.make("shape");
    function.body.line("ConvDirectShape<", spatial, "> ", shape, ";");
    auto set = [&](const Code &member, const SizeExpr &value) {
      function.body.line(shape, ".", member, " = ", function.local(value).print(), ";");
    };
    set("batch", in.view.sizes[0]);
    set("channels", in.channels());
    set("filters", out.channels());
    set("groups", static_cast<int64_t>(op.getGroup()));
    auto image = [&](const Code &member, const Image &image) {
      set(Code(member, ".block"), image.block());
      set(Code(member, ".batch"), image.view.strides[0]);
      set(Code(member, ".plane"), image.plane());
    };
    image("in", in);
    image("out", out);
    if (op.getInputZero())
      set("inputZero", static_cast<int64_t>(op.getInputZero()));
    if (op.getFilterZero())
      set("filterZero", static_cast<int64_t>(op.getFilterZero()));
    for (size_t d = 0; d < spatial; ++d) {
      Code dim("axes[", d, "].");
      set(Code(dim, "in"), in.size(d));
      set(Code(dim, "out"), out.size(d));
      set(Code(dim, "kernel"), filter.sizes[2 + d]);
      set(Code(dim, "stride"), op.getStrides()[d]);
      set(Code(dim, "dilation"), op.getDilations()[d]);
      set(Code(dim, "pad"), pad(d));
      set(Code(dim, "inStep"), in.stride(d));
      set(Code(dim, "outStep"), out.stride(d));
    }
    function.body.line(alongRows ? Code("convRows<") : Code("convDirect<"),
                       isHeldAsFloat(sum) ? Code("float") : valueText(sum), ">(", shape, ", ", a, ", ", w, ", ", y,
                       ", ", epilogue, ");");
    return Printed{"conv", alongRows ? "lanes along rows"
                                     : "filter made at run time, or more than two spatial dims: convDirect"};
  }

  ConvOp op;
  const CodegenOptions &options;
  KernelFunction &function;
  size_t spatial;
  Image in, out;
  const View &filter;
};

} // namespace

FailureOr<Printed> printConv(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  return ConvPrinter(cast<ConvOp>(op), options, function).print();
}

} // namespace sinter
