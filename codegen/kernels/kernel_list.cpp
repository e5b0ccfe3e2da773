// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, comments and sharing of kernel functions.
#include "kernel_list.h"

#include "codegen/report/node_names.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "ir/bands.h"
#include "ir/host_ops.h"
#include "ir/launch.h"
#include "ir/work.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

/// Bytes that dual kernels read as words: what is in them counts, not how they are fetched.
bool holdsBytes(Operation *op, Value operand) {
  auto kernel = op->getAttrOfType<KernelAttr>("kernel");
  return kernel && kernel.getName().starts_with("dual") && op->getNumOperands() > 1 && op->getOperand(1) == operand;
}

std::string shapesOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto dps = cast<DestinationStyleOpInterface>(op);
  auto print = [&](Value value) {
    if (auto type = dyn_cast<MemRefType>(value.getType())) {
      bool isWords = holdsBytes(op, value) && type.getElementType().isInteger(32);
      for (auto [d, size] : llvm::enumerate(type.getShape())) {
        int64_t perWord = isWords && d + 1 == type.getShape().size() ? 4 : 1;
        (ShapedType::isDynamic(size) ? out << "?" : out << size * perWord) << "x";
      }
      out << (isWords ? "i8" : reportText(type.getElementType()));
    } else {
      out << reportText(value.getType());
    }
  };
  llvm::interleave(dps.getDpsInputs(), print, [&] { out << ", "; });
  out << " -> ";
  llvm::interleave(dps.getDpsInits(), print, [&] { out << ", "; });
  return text;
}

/// Per output, the value that the op leaves there: of what was fused into it, the last; of a launch, of what its ops
/// do.
std::vector<ValueName> valuesOf(Operation *op) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  unsigned outputs = dps.getNumDpsInits();
  std::vector<ValueName> values(outputs);
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    for (auto inside : launch.getBody().getOps<DestinationStyleOpInterface>()) {
      std::vector<ValueName> written = valuesOf(inside);
      for (auto [name, to] : llvm::zip(written, inside.getDpsInits()))
        for (auto [place, value] : llvm::zip(dps.getDpsInits(), values))
          if (place == to)
            value = name;
    }
    return values;
  }
  std::vector<ValueName> names = valueNamesIn(op->getLoc());
  if (names.empty())
    return values;
  int64_t last = llvm::max_element(names, [](auto &a, auto &b) { return a.order < b.order; })->order;
  for (const ValueName &name : names)
    if (outputs == 1 ? name.order == last : name.result < outputs && isa<KernelOp>(op))
      values[outputs == 1 ? 0 : name.result] = name;
  return values;
}

} // namespace

/// A node's name as the readable part of a function's: letters and digits, one underscore between words.
static std::string readableNode(StringRef node) {
  std::string text;
  for (char c : node) {
    if (llvm::isAlnum(c))
      text += llvm::toLower(c);
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  return StringRef(text).rtrim('_').take_front(48).str();
}

/// Attributes of a convolution in words.
static std::string attributesOf(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv)
    return "";
  auto list = [](ArrayRef<int64_t> numbers) {
    std::string text;
    for (int64_t number : numbers)
      text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
  };
  std::string text = "; strides " + list(conv.getStrides()) + ", dilations " + list(conv.getDilations());
  if (conv.getGroup() != 1)
    text += ", " + std::to_string(conv.getGroup()) + " groups";
  return text;
}

/// "d0 d1 d2"
static bool isInOrder(StringRef layout) {
  size_t d = 0;
  for (StringRef word : llvm::split(layout, ' '))
    if (word != "d" + std::to_string(d++))
      return false;
  return true;
}

/// How the first output lies, where it is a value of the model.
static std::string layoutOf(const PrintedCall &call) {
  if (call.values.empty() || call.values.front().name.empty())
    return "";
  std::string layout = call.values.front().layout.text();
  bool isBlocked = StringRef(layout).contains('%');
  if (layout.empty() || layout == "?")
    return "";
  bool isLast = layout == "d0 d2 d3 d1" || layout == "d0 d2 d1";
  bool isPlain = isInOrder(layout);
  return std::string("; output ") + (isPlain     ? "as ONNX has it"
                                     : isLast    ? "channels last"
                                     : isBlocked ? "in blocks of channels"
                                                 : "with dims in the order " + layout);
}

bool KernelList::isPayload(Operation *op) {
  return isa<linalg::LinalgOp, ConvOp, MatmulOp, PoolOp, KernelOp, LaunchOp>(op);
}

FailureOr<PrintedCode> KernelList::add(Operation *op, const Values &values) {
  StringRef onHost = options.target.isGpu() ? reasonForHost(op) : "";
  bool isOnDevice = options.target.isGpu() && onHost.empty();
  KernelFunction function(values, onHost.empty() ? structs : hostStructs, isOnDevice);
  auto kernel = dyn_cast<KernelOp>(op);
  std::optional<StringRef> userHeader = kernel ? kernel.getHeader() : std::nullopt;
  auto print = isa<MatmulOp>(op)           ? printMatmul
               : isa<ConvOp>(op)           ? printConv
               : userHeader                ? printUserKernel
               : isa<PoolOp, KernelOp>(op) ? printTemplateKernel
               : isa<LaunchOp>(op)         ? printLaunch
                                           : printGeneric;
  FailureOr<Printed> printed = print(op, bandsAround(op) ? ofOneThread : options, function);
  if (failed(printed))
    return failure();
  PrintedCall call;
  call.op = op;
  call.nodes = nodeNames(op->getLoc());
  call.shapes = shapesOf(op);
  call.values = valuesOf(op);
  call.why = printed->why;
  if (auto tiles = op->getParentOp()->getAttrOfType<StringAttr>("sinter.row_tiles"))
    call.why += "; " + tiles.getValue().str();
  if (!onHost.empty())
    call.why += ("; on the host: " + onHost).str();
  call.kind = printed->kind;
  for (Value output : cast<DestinationStyleOpInterface>(op).getDpsInits())
    call.outputs.push_back(values.view(output).address());
  std::set<std::string> &needed = onHost.empty() ? headers : runHeaders;
  needed.insert(function.neededHeaders().begin(), function.neededHeaders().end());
  if (userHeader)
    userHeaders.insert(userHeader->str());
  return finish(function, std::move(call), printed->returnsStatus);
}

Identifier KernelList::addStore(Type type) {
  PrintedFunction text;
  PrintedCode memory = memoryText(type);
  text.parameters = PrintedCode(memory, " *to, ", valueText(type), " value");
  text.parameterNames = {"to", "value"};
  text.body = type.isInteger(1)     ? "storeMask(to, value);\n"
              : isHeldAsFloat(type) ? "store(to, value);\n"
                                    : "*to = value;\n";
  text.body = "if (cuda::threadIndex() == 0)\n  " + text.body;
  text.launch = Launch();
  text.launch->threads = 32;
  startEarly(nullptr, nullptr, text);
  headers.insert({"templates/cuda/device.h", "runtime-lite/vec.h"});
  if (isHeldAsFloat(type))
    runHeaders.insert("runtime-lite/half.h");
  auto [it, isNew] = byText.try_emplace(text.parameters.text().str() + "\n" + text.body, functions.size());
  if (isNew) {
    text.name = functionNames.make("store_" + memory.text().str());
    functions.push_back(std::move(text));
  }
  return functions[it->second].name;
}

/// On GPUs whose launches may begin before the one in front has ended: a kernel waits for that one itself, and before
/// it does so, it brings its weights to L2: contractions, which read all of them, and others that have few.
void KernelList::startEarly(const KernelFunction *function, Operation *op, PrintedFunction &text) {
  constexpr int firstSm = 90;
  // What is brought too early is gone before it is read; of what others read, such as tables, they may want but a part.
  constexpr int64_t mostAhead = int64_t(8) << 20, fewAhead = int64_t(1) << 14;
  if (options.target.sms.back() < firstSm)
    return;
  headers.insert("templates/cuda/launch_order.h");
  std::string start;
  bool isContraction = op && op->walk([](Operation *inner) {
                                 return isa<MatmulOp, ConvOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
                               }).wasInterrupted();
  int64_t bytes = 0;
  if (function)
    for (const KernelFunction::ConstantRead &read : function->constantReads())
      bytes += read.bytes;
  if (bytes > 0 && bytes <= (isContraction ? mostAhead : fewAhead)) {
    text.bringsWeights = true;
    for (const KernelFunction::ConstantRead &read : function->constantReads())
      start +=
          PrintedCode("cuda::bringToL2<", text.launch->threads, ">(", read.pointer, ", ", read.bytes, ");\n").text();
  }
  start += "cuda::awaitLaunchBefore();\n";
  if (text.launch->sharedBytes == 0) // else before its stores, or with its blocks
    start += "cuda::letNextBegin();\n";
  text.body = start + text.body;
}

/// Whether the kernel takes subnormal floats for zeros. A sum of products that has such terms is rounded by more than
/// they are, unless it is as small itself; other kernels may tell them from zero (Sign, Log, Reciprocal).
static bool takesSubnormalsAsZero(Operation *op, const CodegenOptions &options) {
  if (!options.target.slowSubnormals || options.subnormals == Subnormals::Exact ||
      llvm::none_of(op->getOperandTypes(), [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }))
    return false;
  return options.subnormals == Subnormals::Zero || isa<MatmulOp, ConvOp>(op) || Work().macsOf(op) > 0;
}

PrintedCode KernelList::finish(KernelFunction &function, PrintedCall call, bool returnsStatus) {
  function.dropUnusedSizes();
  std::string how = StringRef(call.why).split(';').first.str(); // row tiles are the call's
  PrintedFunction text;
  text.parameters = function.parameters();
  text.parameterNames = function.parameterNames();
  text.body = function.body.take();
  if (!function.isOnDevice() && takesSubnormalsAsZero(call.op, options)) {
    headers.insert("runtime-lite/subnormals.h");
    text.body = PrintedCode("const SubnormalsAsZero ", function.names.make("zeros"), ";\n").text().str() + text.body;
  }
  if (function.isOnDevice()) {
    text.launch = function.launch;
    if (function.reportsStatus())
      text.body = "int &status = *statusWord;\n" + text.body;
    startEarly(&function, call.op, text);
    for (StringRef header : {"runtime-lite/half.h", "runtime-lite/complex.h"}) // of pointers
      if (function.neededHeaders().count(header.str()))
        runHeaders.insert(header.str());
  }
  text.returnsStatus = returnsStatus;
  text.reportsStatus = function.reportsStatus();
  std::string key = text.parameters.text().str() + "\n" + text.body;
  if (const std::optional<Launch> &launch = text.launch)
    key += (launch->x.text() + "\n" + launch->y.text() + "\n" + launch->z.text()).str();
  else if (options.target.isGpu())
    key += "\non the host";
  auto [it, isNew] = byText.try_emplace(key, functions.size());
  if (isNew) {
    std::string what = readableNode(StringRef(call.nodes).split('\n').first);
    std::string wish = "k" + std::to_string(functions.size()) + "_" + (what.empty() ? call.kind : what);
    text.name = functionNames.make(wish);
    text.comment = call.kind + ", " + how + attributesOf(call.op) + layoutOf(call);
    functions.push_back(std::move(text));
  }
  call.function = it->second;
  calls.push_back(std::move(call));
  return function.call(functions[it->second].name, options.threads);
}

/// What the nodes of a call are, each once.
void KernelList::append(const KernelList &other) {
  size_t before = functions.size();
  llvm::append_range(functions, other.functions);
  for (PrintedCall call : other.calls) {
    call.function += before;
    calls.push_back(std::move(call));
  }
  userHeaders.insert(other.userHeaders.begin(), other.userHeaders.end());
}

static std::string operatorsOf(const PrintedCall &call, const llvm::StringMap<std::string> &nodes) {
  std::vector<StringRef> all;
  for (StringRef node : llvm::split(call.nodes, '\n'))
    if (auto known = nodes.find(node); known != nodes.end() && !llvm::is_contained(all, known->second))
      all.push_back(known->second);
  return llvm::join(all, " + ");
}

void printFunction(Printer &out, const PrintedFunction &function) {
  auto block = out.block("SINTER_NOINLINE ", function.returnsStatus ? PrintedCode("int ") : PrintedCode("void "),
                         function.name, "(", function.parameters, ")");
  out.lines(PrintedCode::trusted(function.body));
}

void printKernelComment(Printer &out, const KernelList &kernels, size_t function) {
  std::vector<std::string> operators; // of all calls, each line once
  for (const PrintedCall &call : kernels.calls) {
    std::string text = call.function == function ? operatorsOf(call, kernels.options.nodes) : "";
    if (!text.empty() && !llvm::is_contained(operators, text))
      operators.push_back(std::move(text));
  }
  for (const std::string &text : operators)
    out.comment(Comment(text));
  out.comment(Comment(kernels.functions[function].comment));
  for (auto [number, call] : llvm::enumerate(kernels.calls))
    if (call.function == function) {
      std::string nodes = llvm::join(llvm::split(call.nodes, '\n'), ", ");
      out.comment("call ", kernels.numberOfCall(number), ": ",
                  Comment(nodes.empty() ? call.shapes : nodes + ": " + call.shapes));
    }
}

} // namespace sinter
