// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/amalgamate.h"
#include "codegen/cuda/cuda_program.h"

using namespace mlir;

namespace sinter {

FailureOr<std::string> printDeviceSource(const Interface &interface, const CodegenOptions &options,
                                         const KernelList &kernels, std::string &missing) {
  std::set<std::string> headers = kernels.headers;
  headers.insert({"runtime-lite/view.h", "runtime-lite/index.h", "runtime-lite/compiler.h", "templates/cuda/device.h"});
  FailureOr<Amalgamation> builtins =
      amalgamate({"templates/cuda/builtins.h"}, options.templatesFolder, missing, nullptr);
  FailureOr<Amalgamation> templates =
      amalgamate(headers, options.templatesFolder, missing, nullptr, {"templates/cuda/builtins.h"});
  if (failed(builtins) || failed(templates))
    return failure();
  Printer out;
  printOrigin(out, interface, options);
  out.comment("Device code, for nvcc, for NVRTC (-default-device), which sees no headers, and for clang -x cuda; ",
              options.fast ? PrintedCode("--fast: ", Comment(givenUp()), ".")
                           : PrintedCode("arithmetic is IEEE's: -fmad=false."));
  out.line("#if !defined(__CUDACC_RTC__)");
  for (const std::string &header : templates->systemHeaders)
    out.line("#include <", PrintedCode::trusted(header), ">");
  out.line("#endif");
  out.blank();
  out.comment("The parts of Sinter's library that these kernels use.");
  out.comment("Of each part there is more than they use.");
  out.line("#if defined(__NVCC__)");
  out.line("#pragma nv_diag_suppress 177");
  out.line("#elif defined(__clang__)");
  for (StringRef warning : {"unused-function", "unused-const-variable", "unneeded-internal-declaration"})
    out.line("#pragma clang diagnostic ignored \"-W", PrintedCode::trusted(warning), "\"");
  out.line("#endif");
  out.lines(builtins->text);
  out.lines(templates->text);
  out.line("namespace sinter {");
  out.blank();
  out.lines(PrintedCode::trusted(kernels.structs.text().text()));
  for (auto [index, function] : llvm::enumerate(kernels.functions)) {
    if (!function.launch)
      continue;
    printKernelComment(out, kernels, index);
    auto block =
        out.block("SINTER_KERNEL(", function.launch->threads, ", 1) ", function.name, "(", function.parameters, ")");
    out.lines(PrintedCode::trusted(function.body));
  }
  out.blank();
  out.line("} // namespace sinter");
  out.blank();
  PrintedCode list;
  for (const PrintedFunction &function : kernels.functions)
    if (function.launch)
      list.append(" F(", function.name, ")");
  out.line("#if defined(SINTER_CUDA_EMULATION)");
  out.line("#define SINTER_KERNELS(F)", list);
  out.line("#endif");
  return out.take();
}

} // namespace sinter
