// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "codegen/text/element_text.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace {

std::string utf8(StringRef foreign) { return json::isUTF8(foreign) ? foreign.str() : json::fixUTF8(foreign); }

/// Which ONNX value the buffer holds, and how it lies there: what `sinter verify --layers` needs to read it.
void printValue(json::OStream &out, const ReportedBuffer &buffer) {
  out.attribute("value", utf8(buffer.value.name));
  out.attribute("value_node", utf8(buffer.value.node));
  out.attribute("element", reportText(buffer.type.getElementType()));
  out.attribute("layout", buffer.value.layout.text());
  out.attributeArray("shape", [&] {
    for (int64_t size : buffer.type.getShape())
      out.value(mlir::ShapedType::isDynamic(size) ? -1 : size);
  });
  auto [strides, offset] = mlir::getStridesAndOffset(buffer.type);
  out.attributeArray("strides", [&, &strides = strides] {
    for (int64_t stride : strides)
      out.value(mlir::ShapedType::isDynamic(stride) ? -1 : stride);
  });
}

void printNodes(json::OStream &out, StringRef names) {
  out.attributeArray("nodes", [&] {
    SmallVector<StringRef> nodes;
    names.split(nodes, '\n', -1, false);
    for (StringRef node : nodes)
      out.value(utf8(node));
  });
}

void printBuffers(json::OStream &out, StringRef key, const std::vector<ReportedBuffer> &buffers) {
  out.attributeArray(key, [&] {
    for (const ReportedBuffer &buffer : buffers)
      out.object([&] {
        out.attribute("place", buffer.place);
        if (buffer.offset >= 0)
          out.attribute("offset", buffer.offset);
        if (buffer.bytes >= 0)
          out.attribute("bytes", buffer.bytes);
        if (!buffer.value.name.empty())
          printValue(out, buffer);
      });
  });
}

void printLabels(json::OStream &out, const InterfaceTensor &tensor) {
  out.attributeArray("labels", [&] {
    for (const std::string &label : tensor.labels)
      tensor.hasIntegerLabels ? out.rawValue(label) : out.value(utf8(label));
  });
}

void printTensors(json::OStream &out, StringRef key, const std::vector<InterfaceTensor> &tensors) {
  out.attributeArray(key, [&] {
    for (const InterfaceTensor &tensor : tensors)
      out.object([&] {
        out.attribute("name", utf8(tensor.name));
        out.attribute("member", tensor.place().text());
        out.attribute("type", describeTensor(tensor).text());
        if (tensor.isState())
          out.attribute("state", utf8(tensor.state));
        if (!tensor.form.empty())
          out.attribute("form", json::fixUTF8(tensor.form));
        if (tensor.scale != 0) {
          out.attribute("scale", tensor.scale);
          out.attribute("zero_point", tensor.zeroPoint);
        }
        if (tensor.range != 0)
          out.attribute("range", tensor.range);
        if (tensor.spacing != 0)
          out.attribute("spacing", tensor.spacing);
        if (tensor.step != 0)
          out.attribute("step", tensor.step);
        if (tensor.arenaOffset)
          out.attribute("arena_offset", *tensor.arenaOffset);
        if (!tensor.labels.empty())
          printLabels(out, tensor);
      });
  });
}

void printCandidates(json::OStream &out, CandidatesAttr candidates) {
  if (!candidates)
    return;
  out.attributeArray("candidates", [&] {
    for (CandidateAttr candidate : candidates.getAll())
      out.object([&] {
        out.attribute("kernel", candidate.getKernel());
        out.attribute("answer", candidate.getAnswer());
        if (mlir::FloatAttr estimate = candidate.getEstimate())
          out.attribute("estimate", estimate.getValueAsDouble());
      });
  });
}

void printCalls(json::OStream &out, const Report &report, const KernelList &kernels) {
  for (auto [i, call] : enumerate(kernels.calls)) {
    const ReportedCall &facts = report.calls[i];
    out.object([&, &call = call, i = i] {
      out.attribute("index", static_cast<int64_t>(i));
      out.attribute("function", kernels.functions[call.function].name.text());
      printNodes(out, call.nodes);
      out.attribute("kernel", call.kind);
      out.attribute("why", call.why);
      printCandidates(out, facts.candidates);
      printTuningJson(out, call);
      out.attribute("shapes", call.shapes);
      out.attribute("macs", facts.macs);
      out.attribute("iterations", facts.iterations);
      if (!facts.isBounded)
        out.attribute("bounded", false);
      out.attribute("repeats", facts.repeats);
      printEstimateJson(out, facts);
      out.attribute("weight_bytes", facts.weightBytes);
      out.attribute("arena_live_bytes", facts.liveBytes);
      if (report.device)
        printLaunchJson(out, *report.device, kernels.functions[call.function], call.function);
      if (report.device)
        printTimeJson(out, report.device->times[i]);
      printBuffers(out, "inputs", facts.inputs);
      printBuffers(out, "outputs", facts.outputs);
    });
  }
}

void printTensors(json::OStream &out, StringRef key, ArrayRef<LiveTensor> tensors) {
  out.attributeArray(key, [&] {
    for (const LiveTensor &tensor : tensors)
      out.object([&] {
        out.attribute("offset", tensor.offset);
        out.attribute("bytes", tensor.bytes);
        if (tensor.accesses)
          out.attribute("accesses", tensor.accesses);
        out.attribute("type", tensor.type);
        printNodes(out, tensor.nodes);
        out.attribute("first_call", static_cast<int64_t>(tensor.first));
        out.attribute("last_call", static_cast<int64_t>(tensor.last));
      });
  });
}

void printRegionsJson(json::OStream &out, const Report &report) {
  if (report.regions.empty())
    return;
  out.attributeArray("regions", [&] {
    for (const RegionUse &use : report.regions)
      out.object([&] {
        out.attribute("name", use.region.name);
        out.attribute("begin", use.region.begin);
        out.attribute("bytes", use.region.bytes);
        if (use.region.limit != INT64_MAX)
          out.attribute("limit", use.region.limit);
        printTensors(out, "tensors", use.tensors);
      });
  });
}

void printPeakJson(json::OStream &out, const Report &report, const KernelList &kernels) {
  if (kernels.calls.empty())
    return;
  out.attributeObject("peak", [&] {
    out.attribute("call", static_cast<int64_t>(report.peakCall));
    out.attribute("bytes", report.calls[report.peakCall].liveBytes);
    printTensors(out, "tensors", report.liveAtPeak);
  });
}

void printFlashByNode(json::OStream &out, const Report &report, const KernelList &kernels) {
  out.attributeArray("by_node", [&] {
    for (const auto &[facts, call] : llvm::zip(report.calls, kernels.calls))
      if (facts.ownWeightBytes > 0)
        out.object([&, &facts = facts, &call = call] {
          printNodes(out, call.nodes);
          out.attribute("bytes", facts.ownWeightBytes);
        });
  });
}

void printOtherPrograms(json::OStream &out, const Report &report) {
  if (report.otherPrograms.empty())
    return;
  bool areOfCpus = llvm::any_of(report.otherPrograms, [](const ReportedProgram &each) { return !each.cpu.empty(); });
  out.attributeArray(areOfCpus ? "programs" : "exact_copies", [&] {
    for (const ReportedProgram &program : report.otherPrograms)
      out.object([&] {
        if (areOfCpus)
          out.attribute("target", program.cpu);
        out.attributeObject("dims", [&] {
          for (const ExactSize &size : program.sizes)
            out.attribute(utf8(size.name), size.size);
        });
        if (program.onlyStates)
          out.attribute("only_states", true);
        out.attribute("first_call", static_cast<int64_t>(program.firstCall));
        out.attribute("calls", static_cast<int64_t>(program.callCount));
        out.attribute("arena", program.arenaBytes);
        out.attribute("own_weights", program.ownWeightBytes);
      });
  });
}

/// Calls with a reason for what they are.
template <class List>
void printReasonsJson(json::OStream &out, StringRef name, const List &list, const KernelList &kernels) {
  out.attributeArray(name, [&] {
    for (const auto &entry : list)
      out.object([&] {
        out.attribute("call", static_cast<int64_t>(entry.call));
        printNodes(out, kernels.calls[entry.call].nodes);
        out.attribute("reason", entry.reason);
      });
  });
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
    if (options.fast)
      out.attribute("given_up", givenUp());
    if (!interface.libraries.empty())
      out.attribute("libraries", json::Array(interface.libraries));
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
    printOtherPrograms(out, report);
    out.attributeObject("flash", [&] {
      out.attribute("weights", weightsBytes);
      out.attributeObject("weights_by_type", [&] {
        for (const auto &[type, bytes] : report.weightBytesByType)
          out.attribute(type, bytes);
      });
      printFlashByNode(out, report, kernels);
    });
    out.attributeObject("ram", [&] {
      out.attribute("arena", interface.arenaBytes);
      out.attribute("arena_align", options.target.alignment);
      if (interface.weightsInRam > 0)
        out.attribute("weights", interface.weightsInRam);
      printPeakJson(out, report, kernels);
      printTensors(out, "buffers", report.buffers);
      printRegionsJson(out, report);
    });
    if (!report.states.empty())
      out.attributeArray("states", [&] {
        for (const ReportedState &state : report.states)
          out.object([&] {
            out.attribute("name", utf8(interface.inputs[state.input].name));
            out.attribute("bytes", interface.inputs[state.input].maxBytes());
            if (state.written)
              out.attribute("written_bytes", *state.written);
          });
      });
    out.attribute("macs", report.macs);
    out.attribute("macs_left", report.macsLeft);
    out.attribute("row_tiling_work", report.rowTilingWork);
    out.attribute("stripe_work", report.rowTilingWork); // its first name: members are only added
    printEstimatesJson(out, report, options.target);
    out.attributeObject("counts", [&] {
      out.attribute("kernel_calls", static_cast<int64_t>(kernels.calls.size()));
      out.attribute("functions", static_cast<int64_t>(kernels.functions.size()));
      out.attribute("copies", static_cast<int64_t>(report.copies.size()));
      out.attribute("attentions", report.attentions);
      out.attribute("norms", report.norms);
      out.attribute("removed_channels", report.removedChannels);
      out.attribute("floats_in_quantized", static_cast<int64_t>(report.quantizedFloats.size()));
      out.attributeObject("by_kernel", [&] {
        for (const auto &[kernel, calls] : report.callsByKernel)
          out.attribute(kernel, calls);
      });
    });
    printReasonsJson(out, "copies", report.copies, kernels);
    printReasonsJson(out, "floats_in_quantized", report.quantizedFloats, kernels);
    if (report.device)
      printDeviceJson(out, report, kernels);
    out.attributeArray("kernels", [&] { printCalls(out, report, kernels); });
    out.attribute("measured", "not measured");
  });
  text += '\n';
  return text;
}

} // namespace sinter
