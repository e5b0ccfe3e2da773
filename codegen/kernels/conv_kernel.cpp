// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.conv -> the call that its kernel's record describes (compiler/kernels): here are the sizes, the operands and
// the epilogue.
#include "codegen/bodies/epilogue.h"
#include "codegen/text/element_text.h"
#include "contraction_call.h"
#include "contraction_epilogue.h"
#include "conv_parts.h"
#include "dialect.h"
#include "kernel_list.h"
#include "kernels/kernel.h"
#include "spreads.h"

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
  /// Depth, height and width; 1 where there are not so many spatial dims.
  SizeExpr depth() const { return spatial < 3 ? SizeExpr(1) : size(spatial - 3); }
  SizeExpr height() const { return spatial < 2 ? SizeExpr(1) : size(spatial - 2); }
  SizeExpr width() const { return size(spatial - 1); }
  SizeExpr slice() const { return spatial < 3 ? SizeExpr(0) : stride(spatial - 3); }
  SizeExpr row() const { return spatial < 2 ? SizeExpr(0) : stride(spatial - 2); }
  SizeExpr pixel() const { return stride(spatial - 1); }
  /// Those of all slices.
  SizeExpr rows() const { return depth() * height(); }
};

class ConvPrinter {
public:
  ConvPrinter(ConvOp op, const ConvKernel &kernel, const CodegenOptions &options, KernelFunction &function)
      : op(op), call(kernel.call(op, options.target)), options(options), function(function),
        spatial(op.getStrides().size()), in{function.values().view(op.getInput()), op.inputLayout(), spatial},
        out{function.values().view(op.getInits()[0]), op.outputLayout(), spatial},
        filter(function.values().view(op.getFilter())) {}

  FailureOr<Printed> print() {
    PrintedCode a = function.readPointer(in.view, "a", op.isInputUnsigned()),
                w = function.readPointer(filter, "w", op.isFilterUnsigned());
    PrintedCode y(function.pointer(out.view, "y", true));
    if (hasGroupsOfTiles()) {
      group = function.names.make("group");
      function.body.line("const int ", group, " = cuda::blockZ();");
      a = PrintedCode(a, " + ", group, " * ", perGroup(in));
      w = PrintedCode(w, " + ", group, " * ", perGroup(out) * filterRow());
      y = PrintedCode(y, " + ", group, " * ", perGroup(out));
    }
    // lanes run along channels, or along rows
    FailureOr<PrintedCode> epilogue =
        printContractionEpilogue(op, options.target, function, [&] { return printEpilogueOf(); });
    if (failed(epilogue))
      return failure();
    PrintedCode shape, rows, panels;
    if (goesByRows() && !function.isOnDevice()) {
      if (spatial > 3)
        return op.emitOpError("packed filters have one to three spatial dims");
      shape = printShape();
      rows = printRows(); // what is shared comes first: scratch depends on it
      if (sharesPanels()) {
        auto [first, last] = function.share(call.panels);
        panels = PrintedCode("PanelRange{", first, ", ", last, "}");
        call.arguments.append({named("nullptr"), CallArgument::Panels}); // nothing is known to be read next
      }
    }
    if (takes(call, CallArgument::Axes))
      rows = printRows();
    if (function.isOnDevice()) {
      SizeExpr pixels = function.local(out.view.sizes[0]);
      for (size_t d = 0; d < spatial; ++d)
        pixels = pixels * function.local(out.size(d));
      SizeExpr filters = filtersOfTiles();
      launchTiles(call, pixels * filters, pixels, filters, function);
      if (hasGroupsOfTiles())
        function.launch.z = static_cast<int64_t>(op.getGroup());
    }
    return printContractionCall(call, function, op.getScratch(), [&](const CallArgument &argument) -> PrintedCode {
      switch (argument.kind) {
      case CallArgument::PixelShape:
        return printPixelShape();
      case CallArgument::Filters:
        return filtersOfTiles().print();
      case CallArgument::FilterRow:
        return SizeExpr(filterRow()).print();
      case CallArgument::FilterSteps:
        return printFilterSteps();
      case CallArgument::PixelRow:
        return function.local(out.pixel()).print();
      case CallArgument::Counters:
        return countersOf(op, function);
      case CallArgument::Element:
        return PrintedCode("cuda::threadOfGrid<", function.launch.threads, ">()");
      case CallArgument::Shape:
        return shape;
      case CallArgument::BoundedShape:
        return op.getMostRows() ? PrintedCode("atMost<", static_cast<int64_t>(*op.getMostRows()), ">(", shape, ")")
                                : shape;
      case CallArgument::Axes:
        return printAxes();
      case CallArgument::Input:
        return a;
      case CallArgument::Weights:
        return w;
      case CallArgument::Output:
        return y;
      case CallArgument::Rows:
        return rows;
      case CallArgument::Panels:
        return panels;
      case CallArgument::RowPhase:
        return function.local(op.getRowPhase() ? function.values().size(op.getRowPhase()) : SizeExpr(0)).printFixed();
      case CallArgument::Epilogue:
        return *epilogue;
      case CallArgument::Sum:
        return printSum();
      default:
        llvm_unreachable("no argument of a convolution");
      }
    });
  }

  FailureOr<ConvParts> printParts() {
    ConvParts parts;
    parts.input = in.view.isHeld ? PrintedCode("nullptr") : function.readPointer(in.view, "a", false);
    parts.filter = function.readPointer(filter, "w", false);
    parts.output = out.view.isHeld ? PrintedCode("nullptr") : PrintedCode(function.pointer(out.view, "y", true));
    parts.images = function.local(out.view.sizes[0]);
    parts.outputPixel = function.local(out.pixel());
    FailureOr<PrintedCode> epilogue =
        printContractionEpilogue(op, options.target, function, [&] { return printEpilogueOf(); });
    if (failed(epilogue))
      return failure();
    parts.epilogue = *epilogue;
    return parts;
  }

private:
  /// On a GPU: whether the blocks of a grid's z have a group each.
  bool hasGroupsOfTiles() { return call.grid && !call.grid->isByElements && op.getGroup() != 1; }
  /// Channels of a group, of maps whose channels are known.
  int64_t perGroup(const Image &image) { return *image.channels().constant() / static_cast<int64_t>(op.getGroup()); }
  SizeExpr filtersOfTiles() { return hasGroupsOfTiles() ? SizeExpr(perGroup(out)) : function.local(out.channels()); }
  int64_t filterRow() {
    auto type = cast<ShapedType>(op.getFilter().getType());
    return type.getNumElements() / type.getDimSize(0);
  }

  /// A spatial dim, counted from the last one on.
  enum Axis : size_t { Width, Height, Depth };
  int64_t kernel(Axis axis) { return axis < spatial ? op.taps(static_cast<int64_t>(spatial - 1 - axis)) : 1; }
  /// The low pad.
  SizeExpr pad(Axis axis) { return axis < spatial ? padOf(spatial - 1 - axis) : SizeExpr(0); }
  SizeExpr padOf(size_t d) {
    return d == 0 && op.getRowPad() ? function.values().size(op.getRowPad()) : SizeExpr(op.getPads()[d]);
  }
  /// Of strides or dilations.
  int64_t step(ArrayRef<int64_t> steps, Axis axis) const { return axis < spatial ? steps[spatial - 1 - axis] : 1; }

  int64_t spread(Axis axis) { return axis < spatial ? spreadOf(op, spatial - 1 - axis) : 1; }

  /// Whether the kernel takes sizes of maps, which have rows, not of any number of dims.
  bool goesByRows() const {
    return takes(call, CallArgument::Shape) || takes(call, CallArgument::BoundedShape) ||
           takes(call, CallArgument::PixelShape);
  }

  /// Whether the filter is in another order than its definition's.
  bool isPacked() {
    KernelAttr kernel = op.getKernelAttr();
    return kernel && kernel.has("dims");
  }

  /// What the kernel reads outside of the input, in place of 0.
  int64_t outside() { return op.getKernelAttr() ? op.getKernelAttr().number("outside") : 0; }

  PrintedCode printPixelShape() {
    SizeExpr channels = hasGroupsOfTiles() ? SizeExpr(perGroup(in)) : in.channels();
    SmallVector<SizeExpr> sizes = {in.view.sizes[0],
                                   in.height(),
                                   in.width(),
                                   channels,
                                   SizeExpr(kernel(Height)),
                                   SizeExpr(kernel(Width)),
                                   out.height(),
                                   out.width(),
                                   SizeExpr(step(op.getStrides(), Height)),
                                   SizeExpr(step(op.getStrides(), Width)),
                                   SizeExpr(step(op.getDilations(), Height)),
                                   SizeExpr(step(op.getDilations(), Width)),
                                   pad(Height),
                                   pad(Width)};
    bool hasPlanes = op.inputLayout() == "nchw", isPart = !hasPlanes && !(in.pixel() == channels);
    if (outside() != 0 || hasPlanes || isPart)
      sizes.push_back(outside());
    auto print = [&](const SizeExpr &size) {
      SizeExpr local = function.local(size);
      return local.constant() ? local.print() : PrintedCode("int(", local.print(), ")");
    };
    std::vector<PrintedCode> parts;
    for (const SizeExpr &size : sizes)
      parts.push_back(print(size));
    if (hasPlanes || isPart)
      parts.push_back(hasPlanes ? PrintedCode("true") : PrintedCode("false"));
    if (isPart)
      parts.push_back(print(in.pixel()));
    return PrintedCode("cuda::ConvShape{", joinCode(parts), "}");
  }

  /// As the definition has a filter, [filter][channel][taps], or with channels behind the taps, or filters behind all.
  PrintedCode printFilterSteps() {
    auto print = [&](const SizeExpr &filterStep, const SizeExpr &channel, const SizeExpr &tap) {
      PrintedCode steps("FilterSteps{", function.local(filterStep).print(), ", ", function.local(channel).print(), ", ",
                        function.local(tap).print());
      return outside() == 0 ? PrintedCode(steps, "}") : PrintedCode(steps, ", ", outside(), "}");
    };
    if (!isPacked())
      return print(filter.strides[0], filter.strides[1], 1);
    auto shape = cast<ShapedType>(op.getFilter().getType()).getShape();
    if (op.getKernelAttr().dimsOf(0)->front() != 0)
      return print(1, 0, shape.back());
    int64_t perFilter = 1;
    for (int64_t size : shape.drop_front())
      perFilter *= size;
    return print(perFilter, 1, shape.back());
  }

  /// The rows that a call computes: all, or a share.
  PrintedCode printRows() {
    PrintedCode first = SizeExpr(0).printFixed(), last = function.local(out.rows()).printFixed();
    if (isShared() && !sharesPanels() && out.rows().constant().value_or(2) > 1) {
      auto share = function.share(out.rows(), call.rows);
      first = share.first;
      last = share.second;
    }
    return PrintedCode(first, ", ", last);
  }

  PrintedCode printSum() {
    Type sum = op.accumulatorType();
    return isHeldAsFloat(sum) ? PrintedCode("float") : valueText(sum);
  }

  /// Whether threads are worth their start.
  bool isShared() const {
    return options.threads > 1 && call.isShared && elementsOf(out.view) * weightsOfOutput() >= options.leastSharedWork;
  }
  /// How many products an output is the sum of, or so.
  int64_t weightsOfOutput() const {
    return std::max<int64_t>(elementsOf(filter) / std::max<int64_t>(out.channels().constant().value_or(1), 1), 1);
  }
  /// Whether threads take panels of the filter, not rows of the map: of a map with one row, and where there is less of
  /// the map to read than of the filter, of which each then reads its own.
  bool sharesPanels() const {
    constexpr int64_t enough = 2; // a thread
    if (!isShared() || call.panels < 2)
      return false;
    bool hasMany = call.panels >= enough * options.threads;
    return out.rows().isConstant(1) || (hasMany && elementsOf(in.view) < elementsOf(filter));
  }
  /// Sizes that are not known count as small.
  static int64_t elementsOf(const View &view) {
    int64_t elements = 1;
    for (const SizeExpr &size : view.sizes)
      elements *= size.constant().value_or(16);
    return elements;
  }

  FailureOr<PrintedCode> printEpilogueOf() {
    EpilogueCoordinates at;
    size_t rank = out.view.sizes.size();
    at.dims.resize(rank);
    Identifier n = function.names.make("n"), c = function.names.make("c");
    at.parameters = {n, c};
    at.lane = c;
    at.dims[0] = n;
    if (spatial == 1 && goesByRows())
      at.parameters.push_back(function.names.make("h")); // always 0
    const char *axes[] = {"d", "h", "w"};
    for (size_t d = 0; d < spatial; ++d) {
      Identifier position = function.names.make(spatial > 3 ? "s" : axes[3 - spatial + d]);
      at.parameters.push_back(position);
      at.dims[out.firstSpatial() + d] = position;
      if (call.runsAlongRows && d + 1 == spatial)
        at.lane = position;
    }
    if (!out.isBlocked())
      at.dims[out.layout == "nhwc" ? rank - 1 : 1] = c;
    else if (out.view.sizes[1].isConstant(1))
      at.dims[rank - 1] = hasGroupsOfTiles() ? SizeExpr(group) * SizeExpr(perGroup(out)) + SizeExpr(c) : SizeExpr(c);
    else {
      at.block = *out.view.sizes.back().constant();
      at.blockDim = 1;
      at.innerDim = rank - 1;
    }
    return printEpilogue(function, op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps(), at,
                         options.indexCheck);
  }

  PrintedCode layoutText(const Image &image) const {
    std::vector<PrintedCode> parts;
    for (const SizeExpr &part : {image.block(), image.view.strides[0], image.plane(), image.row(), image.pixel()})
      parts.push_back(function.local(part).print());
    if (spatial == 3)
      parts.push_back(function.local(image.slice()).print());
    return PrintedCode("{", joinCode(parts), "}");
  }

  /// The argument that says the sizes: an object of a type that has those that are known as constants, and the others
  /// as members.
  PrintedCode printShape() {
    ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
    using Sizes = std::vector<std::pair<const char *, SizeExpr>>;
    Sizes ofMap = {{"batch", in.view.sizes[0]},
                   {"channels", in.channels()},
                   {"height", in.height()},
                   {"width", in.width()},
                   {"filters", out.channels()},
                   {"outHeight", out.height()},
                   {"outWidth", out.width()},
                   {"kernelH", kernel(Height)},
                   {"kernelW", kernel(Width)},
                   {"strideH", step(strides, Height)},
                   {"strideW", step(strides, Width)},
                   {"dilationH", step(dilations, Height)},
                   {"dilationW", step(dilations, Width)},
                   {"padTop", pad(Height)},
                   {"padLeft", pad(Width)},
                   {"groups", static_cast<int64_t>(op.getGroup())}};
    Sizes ofSlices = {{"depth", in.depth()},
                      {"outDepth", out.depth()},
                      {"kernelD", kernel(Depth)},
                      {"strideD", step(strides, Depth)},
                      {"dilationD", step(dilations, Depth)},
                      {"padFront", pad(Depth)}};
    std::vector<PrintedCode> members, values;
    auto knownOf = [&](const Sizes &sizes) {
      std::vector<PrintedCode> known;
      for (const auto &[name, value] : sizes)
        if (value.constant())
          known.push_back(PrintedCode(PrintedCode::trusted(name), " = ", value.print()));
        else
          addMember("int64_t", name, function.local(value).print(), members, values);
      return known;
    };
    std::vector<PrintedCode> known = knownOf(ofMap);
    constexpr size_t onFirstLine = 7;
    size_t first = std::min(onFirstLine, known.size());
    PrintedCode integers("  [[maybe_unused]] static constexpr int64_t ");
    PrintedCode body(integers, joinCode(ArrayRef(known).take_front(first)), ";\n", integers,
                     joinCode(ArrayRef(known).drop_front(first)), ";\n");
    if (spatial == 3)
      body = PrintedCode(body, integers, joinCode(knownOf(ofSlices)), ";\n");
    if (spreadsOf(op))
      body = PrintedCode(body, integers, "spreadD = ", spread(Depth), ", spreadH = ", spread(Height),
                         ", spreadW = ", spread(Width), ";\n");
    for (auto [image, name] : {std::pair(&in, "in"), std::pair(&out, "out")})
      if (isStatic(*image))
        body = PrintedCode(body, "  [[maybe_unused]] static constexpr ImageLayout ", PrintedCode::trusted(name), " = ",
                           layoutText(*image), ";\n");
      else
        addMember("ImageLayout", name, layoutText(*image), members, values);
    for (const PrintedCode &member : members)
      body = PrintedCode(body, "  ", member, "\n");
    function.need("templates/maps/image.h");
    return PrintedCode(function.declareStruct("ConvSizes", body), "{", joinCode(values), "}");
  }

  static void addMember(const char *type, const char *name, PrintedCode value, std::vector<PrintedCode> &members,
                        std::vector<PrintedCode> &values) {
    members.push_back(PrintedCode(PrintedCode::trusted(type), " ", PrintedCode::trusted(name), ";"));
    values.push_back(std::move(value));
  }

  static bool isStatic(const Image &image) {
    return image.block().constant() && image.plane().constant() && image.row().constant() && image.pixel().constant() &&
           image.view.strides[0].constant();
  }

  /// The same for any number of dims, as an object that is filled in.
  PrintedCode printAxes() {
    Identifier shape = function.names.make("shape");
    function.body.line("ConvDirectShape<", spatial, "> ", shape, ";");
    auto set = [&](const PrintedCode &member, const SizeExpr &value) {
      function.body.line(shape, ".", member, " = ", function.local(value).print(), ";");
    };
    set("batch", in.view.sizes[0]);
    set("channels", in.channels());
    set("filters", out.channels());
    set("groups", static_cast<int64_t>(op.getGroup()));
    auto image = [&](const PrintedCode &member, const Image &image) {
      set(PrintedCode(member, ".block"), image.block());
      set(PrintedCode(member, ".batch"), image.view.strides[0]);
      set(PrintedCode(member, ".plane"), image.plane());
    };
    image("in", in);
    image("out", out);
    if (op.getInputZero())
      set("inputZero", static_cast<int64_t>(op.getInputZero()));
    if (op.getFilterZero())
      set("filterZero", static_cast<int64_t>(op.getFilterZero()));
    for (size_t d = 0; d < spatial; ++d) {
      PrintedCode dim("axes[", d, "].");
      set(PrintedCode(dim, "in"), in.size(d));
      set(PrintedCode(dim, "out"), out.size(d));
      set(PrintedCode(dim, "kernel"), isPacked() ? SizeExpr(op.taps(static_cast<int64_t>(d))) : filter.sizes[2 + d]);
      set(PrintedCode(dim, "stride"), op.getStrides()[d]);
      set(PrintedCode(dim, "dilation"), op.getDilations()[d]);
      set(PrintedCode(dim, "pad"), padOf(d));
      set(PrintedCode(dim, "inStep"), in.stride(d));
      set(PrintedCode(dim, "outStep"), out.stride(d));
      if (spreadsOf(op))
        set(PrintedCode(dim, "spread"), spreadOf(op, d));
    }
    return shape;
  }

  ConvOp op;
  ContractionCall call;
  const CodegenOptions &options;
  KernelFunction &function;
  size_t spatial;
  Image in, out;
  const View &filter;
  Identifier group; ///< the number of a block's
};

} // namespace

FailureOr<ConvParts> printConvParts(ConvOp op, const CodegenOptions &options, KernelFunction &function) {
  return ConvPrinter(op, *kernelOf(op), options, function).printParts();
}

FailureOr<Printed> printConv(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  auto conv = cast<ConvOp>(op);
  const ConvKernel *kernel = kernelOf(conv);
  if (!kernel)
    return op->emitOpError("has no kernel: choose-kernels has not seen it");
  return ConvPrinter(conv, *kernel, options, function).print();
}

} // namespace sinter
