// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace {

std::string utf8(StringRef foreign) { return json::isUTF8(foreign) ? foreign.str() : json::fixUTF8(foreign); }

void printBuffers(json::OStream &out, StringRef key, const std::vector<ReportedBuffer> &buffers) {
  out.attributeArray(key, [&] {
    for (const ReportedBuffer &buffer : buffers)
      out.object([&] {
        out.attribute("place", buffer.place);
        if (buffer.offset >= 0)
          out.attribute("offset", buffer.offset);
        if (buffer.bytes >= 0)
          out.attribute("bytes", buffer.bytes);
      });
  });
}

void printTensors(json::OStream &out, StringRef key, const std::vector<InterfaceTensor> &tensors) {
  out.attributeArray(key, [&] {
    for (const InterfaceTensor &tensor : tensors)
      out.object([&] {
        out.attribute("name", utf8(tensor.name));
        out.attribute("member", tensor.member.text());
        out.attribute("type", describeTensor(tensor).text());
        if (tensor.isState())
          out.attribute("state", utf8(tensor.state));
      });
  });
}

void printCalls(json::OStream &out, const Report &report, const KernelList &kernels) {
  for (auto [i, call] : enumerate(kernels.calls)) {
    const ReportedCall &facts = report.calls[i];
    out.object([&, &call = call, i = i] {
      out.attribute("index", static_cast<int64_t>(i));
      out.attribute("function", kernels.functions[call.function].name.text());
      out.attributeArray("nodes", [&] {
        SmallVector<StringRef> nodes;
        StringRef(call.nodes).split(nodes, '\n', -1, false);
        for (StringRef node : nodes)
          out.value(utf8(node));
      });
      out.attribute("kernel", call.kind);
      out.attribute("why", call.why);
      out.attribute("shapes", call.shapes);
      out.attribute("macs", facts.macs);
      out.attribute("repeats", facts.repeats);
      out.attribute("weight_bytes", facts.weightBytes);
      out.attribute("arena_live_bytes", facts.liveBytes);
      printBuffers(out, "inputs", facts.inputs);
      printBuffers(out, "outputs", facts.outputs);
    });
  }
}

} // namespace

std::string printReportJson(const Report &report, const Interface &interface, const ModelNames &names,
                            const KernelList &kernels, const CodegenOptions &options, int64_t weightsBytes) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream, 1);
  out.object([&] {
    out.attribute("version", 1);
    out.attribute("prefix", names.prefix.text());
    out.attribute("model_sha256", interface.sha256);
    out.attribute("compiler", options.compiler);
    out.attribute("target", options.target.name);
    printTensors(out, "inputs", interface.inputs);
    printTensors(out, "outputs", interface.outputs);
    out.attributeArray("dims", [&] {
      for (const SymbolicDim &dim : interface.dims)
        out.object([&] {
          out.attribute("name", utf8(dim.name));
          out.attribute("min", dim.min);
          out.attribute("max", dim.max);
        });
    });
    out.attributeObject("flash", [&] {
      out.attribute("weights", weightsBytes);
      out.attributeObject("weights_by_type", [&] {
        for (const auto &[type, bytes] : report.weightBytesByType)
          out.attribute(type, bytes);
      });
    });
    out.attributeObject("ram", [&] {
      out.attribute("arena", interface.arenaBytes);
      out.attribute("arena_align", WeightsImage::alignment);
    });
    out.attribute("macs", report.macs);
    out.attributeObject("counts", [&] {
      out.attribute("kernel_calls", static_cast<int64_t>(kernels.calls.size()));
      out.attribute("functions", static_cast<int64_t>(kernels.functions.size()));
      out.attribute("copies", report.copies);
      out.attributeObject("by_kernel", [&] {
        for (const auto &[kernel, calls] : report.callsByKernel)
          out.attribute(kernel, calls);
      });
    });
    out.attributeArray("kernels", [&] { printCalls(out, report, kernels); });
    out.attribute("measured", "not measured");
  });
  text += '\n';
  return text;
}

} // namespace sinter
