// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel functions of a source and their calls. Payload ops become functions here; equal functions are printed
// once.
#pragma once

#include "codegen/codegen.h"
#include "ir/value_names.h"
#include "kernel_function.h"
#include <memory>

namespace sinter {

/// One call in `run`, for trace and report.
struct PrintedCall {
  size_t function;    ///< index into KernelList::functions
  std::string nodes;  ///< names of ONNX nodes, a line each
  std::string shapes; ///< of inputs and outputs, for the report
  std::string kind;   ///< "loops", "copy", "matmul", the name of a template
  std::string why;    ///< how it is computed, and why so
  mlir::Operation *op;
  std::vector<PrintedCode> outputs; ///< addresses of what it writes
  std::vector<ValueName> values;    ///< per output, the ONNX value that it is; unnamed: none, or a part of one
};

struct PrintedFunction {
  Identifier name;
  std::string comment; ///< what it computes, how and why so
  PrintedCode parameters;
  std::string body; ///< lines inside the braces
  bool returnsStatus = false;
  bool reportsStatus = false; ///< takes `int &status`
  std::vector<PrintedCode> parameterNames;
  std::optional<Launch> launch; ///< of a kernel; nothing: a function of the host
  bool bringsWeights = false;   ///< to L2, before it waits for the launch in front
};

class KernelList {
public:
  explicit KernelList(const CodegenOptions &options) : options(options), ofOneThread(options) {
    ofOneThread.threads = 1;
  }
  /// Makes (or finds again) the function of a payload op. Gives the call, without `;`.
  mlir::FailureOr<PrintedCode> add(mlir::Operation *op, const Values &values);
  /// On a GPU: the function (call, to, value) that stores a scalar of that type.
  Identifier addStore(mlir::Type type);
  /// What trace and report call a call of this list: those of the sources before it come first.
  size_t numberOfCall(size_t index) const { return callsBefore + index; }
  /// Adds functions and calls of another source of the model, for what speaks of all.
  void append(const KernelList &other);
  /// Whether `op` is for add().
  static bool isPayload(mlir::Operation *op);

  std::vector<PrintedFunction> functions;
  std::vector<PrintedCall> calls;
  std::set<std::string> headers;     ///< that kernels need
  std::set<std::string> runHeaders;  ///< that `run` needs, and functions of the host in a program for a GPU
  std::set<std::string> userHeaders; ///< of custom operators
  Structs structs, hostStructs;      ///< of kernels; of functions of the host in a program for a GPU
  const CodegenOptions &options;
  size_t callsBefore = 0; ///< of other sources of the model

private:
  PrintedCode finish(KernelFunction &function, PrintedCall call, bool returnsStatus);
  void startEarly(const KernelFunction *function, mlir::Operation *op, PrintedFunction &text);
  CodegenOptions ofOneThread; ///< of kernels in what threads have shared already
  Names functionNames;
  std::map<std::string, size_t> byText;
};

/// Above a function: what it computes, and for each of its calls the nodes that it is.
void printKernelComment(Printer &out, const KernelList &kernels, size_t function);

/// A function of the host.
void printFunction(Printer &out, const PrintedFunction &function);

/// What the printers of payload ops answer beside the function's body.
struct Printed {
  std::string kind, why;
  bool returnsStatus = false;
};
/// Views inside of a launch have been resolved.
mlir::FailureOr<Printed> printLaunch(mlir::Operation *op, const CodegenOptions &options, KernelFunction &function);
mlir::FailureOr<Printed> printGeneric(mlir::Operation *op, const CodegenOptions &options, KernelFunction &function);
mlir::FailureOr<Printed> printMatmul(mlir::Operation *op, const CodegenOptions &options, KernelFunction &function);
/// The same with rows of the left-hand side that `rows` makes, a NormedRows (templates/cuda/normed_rows.h).
mlir::FailureOr<Printed> printNormedMatmul(mlir::Operation *op, const PrintedCode &rows, const CodegenOptions &options,
                                           KernelFunction &function);
mlir::FailureOr<Printed> printConv(mlir::Operation *op, const CodegenOptions &options, KernelFunction &function);
mlir::FailureOr<Printed> printTemplateKernel(mlir::Operation *op, const CodegenOptions &options,
                                             KernelFunction &function);
/// Of a sinter.kernel with a header.
mlir::FailureOr<Printed> printUserKernel(mlir::Operation *op, const CodegenOptions &options, KernelFunction &function);

} // namespace sinter
