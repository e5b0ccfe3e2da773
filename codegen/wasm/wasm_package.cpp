// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the interface as data for package.mjs, as types, and as memory of the module.
#include "wasm_package.h"

#include "codegen/text/element_text.h"
#include "codegen/text/fill_in.h"
#include "codegen/weights/weights_text.h"
#include "support/embedded.h"
#include "target/shared_memory.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace wasm_package {
extern const EmbeddedFile embedded[];
}

namespace {
StringRef ownText(StringRef file) {
  const EmbeddedFile *found = wasm_package::embedded;
  while (found->name && file != found->name)
    ++found;
  assert(found->name && "a file of ours");
  return found->text;
}

/// A file of ours, filled in.
std::string fillInFile(StringRef file, ArrayRef<std::pair<StringRef, std::string>> values) {
  return fillIn(ownText(file), values);
}

/// The typed array that holds the ABI's objects.
StringRef arrayOf(ElementType type) {
  return llvm::StringSwitch<StringRef>(abiText(type).text())
      .Case("int8_t", "Int8Array")
      .Case("uint8_t", "Uint8Array")
      .Case("int16_t", "Int16Array")
      .Case("uint16_t", "Uint16Array")
      .Case("int32_t", "Int32Array")
      .Case("uint32_t", "Uint32Array")
      .Case("int64_t", "BigInt64Array")
      .Case("uint64_t", "BigUint64Array")
      .Case("double", "Float64Array")
      .Case("sinter_string", "Uint32Array") // an address and a size
      .Default("Float32Array");
}

/// What callers have: of text an array of strings.
StringRef callersArray(ElementType type) { return type == ElementType::String ? "string[]" : arrayOf(type); }
/// The type of what run() takes.
StringRef takenArray(ElementType type) {
  return type == ElementType::String    ? "readonly (string | Uint8Array)[]"
         : type == ElementType::Float16 ? "(Uint16Array | Known<\"Float16Array\">)"
                                        : arrayOf(type);
}
/// Of an element, on a machine of 32 bits; abiObjects() rounds packed types up.
int64_t bitsOf(ElementType type) { return type == ElementType::String ? 64 : abiObjects(type, 8) * abiBytes(type); }

// What the types of a package with threads say besides.
std::string threadsType(int most) {
  return "\n  /** Threads that take part in a call, the caller's one of them. Default: those of the machine, at most " +
         std::to_string(most) + ". */\n  threads?: number;";
}
constexpr const char *threadsPage =
    "\n\nCalls run on several threads, which `load()` starts (`load({ threads: 2 })` as many) and `model.close()` "
    "ends. A "
    "page gets the memory that they share where its\nserver sends `Cross-Origin-Opener-Policy: same-origin` and "
    "`Cross-Origin-Embedder-Policy: require-corp`.\n";
constexpr const char *closeType = "\n  /** Ends the workers. Calls still work, on one thread. */\n  close(): void;";

PrintedCode listOf(ArrayRef<PrintedCode> parts) { return PrintedCode("[", joinCode(parts), "]"); }
PrintedCode boolean(bool value) { return value ? PrintedCode("true") : PrintedCode("false"); }

class PackagePrinter {
public:
  PackagePrinter(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                 const WeightsImage &weights)
      : interface(interface), names(names), options(options), weights(weights),
        bringsWeights(callerBringsWeights(options) && weights.size() > 0), hasThreads(sharesMemory(options.target)),
        inputNames(publicNames(interface.inputs)), outputNames(publicNames(interface.outputs)) {}

  std::string script() {
    PrintedCode module("new URL(\"./", names.prefix, ".wasm\", import.meta.url)");
    PrintedCode file = bringsWeights
                           ? PrintedCode("new URL(", JsonString("./" + weightsFileName(options)), ", import.meta.url)")
                           : PrintedCode("undefined");
    std::string prefix = names.prefix.text().str();
    return fillInFile("package.mjs",
                      {{"origin", origin()},
                       {"model", interfaceText()},
                       {"wasm", module.text().str()},
                       {"weights", file.text().str()},
                       {"options", ifThreads(", threads")},
                       {"imports", hasThreads ? "{ env: { memory: sharedMemory() } }" : "{}"},
                       {"joined", ifThreads("\n  await join(instance, module, imports.env.memory, threads);")},
                       {"threads", hasThreads ? fillInFile("threads.mjs", {{"prefix", prefix}}) : ""}});
  }
  std::string worker() {
    return fillInFile("worker.mjs", {{"origin", origin()}, {"prefix", names.prefix.text().str()}});
  }
  std::string types() {
    Printer dims;
    for (const SymbolicDim &dim : interface.dims) {
      dims.line("  /** ", dim.min, " to ", dim.max, " */");
      dims.line("  ", JsonString(dim.name), "?: number;");
    }
    return fillInFile("package.d.mts", {{"origin", origin()},
                                        {"inputs", typeLines(interface.inputs, inputNames, true)},
                                        {"outputs", typeLines(interface.outputs, outputNames, false)},
                                        {"dims", withoutEnd(dims.take())},
                                        {"threads", ifThreads(threadsType(options.threads))},
                                        {"close", ifThreads(closeType)}});
  }
  std::string page() {
    Printer table, example;
    auto rows = [&](ArrayRef<InterfaceTensor> tensors, ArrayRef<std::string> properties, const PrintedCode &kind) {
      for (auto [tensor, property] : llvm::zip(tensors, properties))
        table.line("| ", kind, " | `", JsonString(property), "` | `", describeTensor(tensor), "` | ",
                   PrintedCode::trusted(callersArray(tensor.type)), " |");
    };
    rows(interface.inputs, inputNames, "input");
    rows(interface.outputs, outputNames, "output");
    for (auto [tensor, property] : llvm::zip(interface.inputs, inputNames))
      if (!tensor.isState())
        example.line("  ", JsonString(property), ": new ",
                     PrintedCode::trusted(tensor.type == ElementType::String ? "Array" : arrayOf(tensor.type)), "(",
                     abiObjects(tensor.type, tensor.maxElements()), ")",
                     tensor.type == ElementType::String ? PrintedCode(".fill(\"\"), // ") : PrintedCode(", // "),
                     describeTensor(tensor));
    std::string made = "Made by " + options.compiler + ".";
    return fillInFile("package.md", {{"prefix", names.prefix.text().str()},
                                     {"origin", made},
                                     {"example", withoutEnd(example.take())},
                                     {"table", withoutEnd(table.take())},
                                     {"threads", ifThreads(threadsPage)}});
  }
  std::string manifest() {
    std::string prefix = names.prefix.text().str(), script = "./" + prefix + ".mjs", types = "./" + prefix + ".d.mts";
    json::Array files{prefix + ".mjs", prefix + ".d.mts", prefix + ".wasm"};
    if (hasThreads)
      files.push_back(wasmWorkerScript(options));
    if (bringsWeights)
      files.push_back(weightsFileName(options));
    std::string text; // in an order that means something: the first condition that holds counts
    raw_string_ostream stream(text);
    json::OStream out(stream, 2);
    out.object([&] {
      out.attribute("name", StringRef(prefix).ltrim('_').lower());
      out.attribute("version", options.packageInfo.version);
      const std::string &description = options.packageInfo.description;
      out.attribute("description", description.empty() ? "A neural net as WebAssembly" : description);
      out.attribute("license", "SEE LICENSE IN README.md");
      out.attribute("type", "module");
      out.attribute("sideEffects", false);
      out.attribute("main", script);
      out.attribute("types", types);
      out.attributeObject("exports", [&] {
        out.attributeObject(".", [&] {
          out.attribute("types", types);
          out.attribute("default", script);
        });
        out.attribute("./*", "./*");
      });
      out.attribute("files", std::move(files));
    });
    stream << "\n";
    return text;
  }
  std::string module() {
    Printer out;
    printOrigin(out, interface, options);
    out.comment("The memory of an instance, and what ", names.prefix, ".mjs calls.");
    out.line("#include \"", names.prefix, ".h\"");
    out.blank();
    out.line("namespace {");
    printMemory(out);
    out.line("} // namespace");
    out.blank();
    printPlaces(out);
    out.blank();
    printCall(out);
    return hasThreads ? ownText("pool.h").str() + out.take() : out.take();
  }

private:
  std::string ifThreads(std::string text) const { return hasThreads ? std::move(text) : ""; }
  std::string origin() {
    Printer out;
    printOrigin(out, interface, options);
    return withoutEnd(out.take());
  }
  static std::string withoutEnd(std::string text) {
    if (!text.empty())
      text.pop_back();
    return text;
  }

  // Data for the script.
  PrintedCode tensorText(const InterfaceTensor &tensor, StringRef property) {
    std::vector<PrintedCode> dims, largest;
    for (auto [i, dim] : llvm::enumerate(tensor.dims)) {
      dims.push_back(dim.size >= 0        ? PrintedCode(dim.size)
                     : dim.symbol.empty() ? PrintedCode("null")
                                          : PrintedCode(JsonString(dim.symbol)));
      largest.push_back(PrintedCode(dim.size >= 0 ? dim.size : dim.max));
    }
    return PrintedCode("{\"name\": ", JsonString(property), ", \"type\": ", JsonString(elementTypeName(tensor.type)),
                       ", \"array\": ", JsonString(arrayOf(tensor.type)), ", \"bits\": ", bitsOf(tensor.type),
                       ", \"dims\": ", listOf(dims), ", \"max\": ", listOf(largest),
                       ", \"state\": ", boolean(tensor.isState()),
                       ", \"grows\": ", tensor.growingDim ? PrintedCode(*tensor.growingDim) : PrintedCode("null"),
                       ", \"hasSizes\": ", boolean(tensor.dimsMember.has_value()), "}");
  }
  void printTensors(Printer &out, const PrintedCode &key, ArrayRef<InterfaceTensor> tensors,
                    ArrayRef<std::string> properties) {
    out.line("  \"", key, "\": [");
    for (auto [tensor, property] : llvm::zip(tensors, properties))
      out.line("    ", tensorText(tensor, property), ",");
    out.line("  ],");
  }
  std::string interfaceText() {
    Printer out;
    out.line("{");
    printTensors(out, "inputs", interface.inputs, inputNames);
    printTensors(out, "outputs", interface.outputs, outputNames);
    out.line("  \"dims\": [");
    for (const SymbolicDim &dim : interface.dims) {
      std::vector<PrintedCode> terms;
      if (dim.polynomial)
        for (const auto &[product, factor] : dim.polynomial->getTerms()) {
          std::vector<PrintedCode> factors;
          for (const std::string &name : product)
            factors.push_back(PrintedCode(JsonString(name)));
          terms.push_back(PrintedCode("[", factor, ", ", listOf(factors), "]"));
        }
      out.line("    {\"name\": ", JsonString(dim.name), ", \"min\": ", dim.min, ", \"max\": ", dim.max,
               ", \"terms\": ", dim.polynomial ? listOf(terms) : PrintedCode("null"), "},");
    }
    out.line("  ],");
    std::vector<PrintedCode> statuses;
    for (const std::string &text : options.statusTexts)
      statuses.push_back(PrintedCode(JsonString(text)));
    out.line("  \"statuses\": ", listOf(statuses), ",");
    out.line("  \"places\": ", places().size(), ",");
    out.line("  \"target\": ", JsonString(options.target.name), ",");
    out.line("  ", PrintedCode::trusted(unknownWasmBytes));
    if (hasThreads) {
      out.line("  ", PrintedCode::trusted(unknownPages));
      out.line("  \"threads\": ", options.threads, ",");
    }
    out.line("  \"weightsBytes\": ", bringsWeights ? weights.size() : 0, ",");
    out.line("  \"weightsChecksum\": ", bringsWeights ? checksum() : 0, ",");
    out.line("}");
    return withoutEnd(out.take());
  }
  /// As package.mjs computes it.
  uint32_t checksum() {
    uint32_t sum = 0x811c9dc5, word = 0;
    int64_t at = 0, whole = weights.size() / 4 * 4;
    weights.forEachPiece(0, weights.size(), [&](ArrayRef<char> piece) {
      for (char byte : piece) {
        word |= static_cast<uint32_t>(static_cast<unsigned char>(byte)) << 8 * (at < whole ? at % 4 : 0);
        if (at++ >= whole || at % 4 == 0) {
          sum = (sum ^ word) * 16777619u;
          word = 0;
        }
      }
      return true;
    });
    return sum;
  }

  std::string typeLines(ArrayRef<InterfaceTensor> tensors, ArrayRef<std::string> properties, bool areInputs) {
    Printer out;
    for (auto [tensor, property] : llvm::zip(tensors, properties)) {
      out.line("  /** ", describeTensor(tensor), describeMore(tensor), " */");
      out.line("  ", JsonString(property), areInputs && tensor.isState() ? PrintedCode("?: ") : PrintedCode(": "),
               PrintedCode::trusted(areInputs ? takenArray(tensor.type) : callersArray(tensor.type)),
               areInputs ? PrintedCode(" & Partial<Shaped>;") : PrintedCode(" & Shaped;"));
    }
    return withoutEnd(out.take());
  }

  // The module's memory. Numbers keep its names apart from the model's.
  void printMemory(Printer &out) {
    out.line("alignas(", names.macro, "_ARENA_ALIGN) unsigned char arena[", names.macro, "_ARENA_BYTES > 0 ? ",
             names.macro, "_ARENA_BYTES : 1];");
    for (const auto *tensors : {&interface.inputs, &interface.outputs})
      for (auto [i, tensor] : llvm::enumerate(*tensors))
        if (!tensor.arenaOffset && !tensor.isEmpty())
          out.line("alignas(", options.target.alignment, ") ", abiText(tensor.type), " ", bufferOf(tensor, i), "[",
                   abiObjects(tensor.type, tensor.maxElements()), "];");
    if (bringsWeights)
      out.line("alignas(", names.macro, "_ARENA_ALIGN) unsigned char weights[", names.macro, "_WEIGHTS_BYTES];");
    out.line(names.prefix, "_inputs in;");
    out.line(names.prefix, "_outputs out;");
    out.line("sinter_env env;");
    if (hasThreads)
      out.line("const sinter_parallel pool = {WorkerPool::run, nullptr, ", options.threads, "};");
  }
  PrintedCode bufferOf(const InterfaceTensor &tensor, size_t number) {
    bool isInput = &tensor >= interface.inputs.data() && &tensor < interface.inputs.data() + interface.inputs.size();
    return PrintedCode(isInput ? PrintedCode("input_") : PrintedCode("output_"), number);
  }
  PrintedCode addressOf(const InterfaceTensor &tensor, size_t number) {
    if (tensor.isEmpty())
      return "nullptr";
    return tensor.arenaOffset ? PrintedCode("arena + ", *tensor.arenaOffset) : bufferOf(tensor, number);
  }
  /// In the order in which package.mjs takes them.
  std::vector<PrintedCode> places() {
    std::vector<PrintedCode> all;
    for (const auto *tensors : {&interface.inputs, &interface.outputs})
      for (auto [i, tensor] : llvm::enumerate(*tensors))
        all.push_back(addressOf(tensor, i));
    for (const SymbolicDim &dim : interface.dims)
      all.push_back(PrintedCode("&in.", dim.member));
    for (const InterfaceTensor *tensor : interface.withDims())
      all.push_back(PrintedCode("out.", *tensor->dimsMember));
    if (bringsWeights)
      all.push_back("weights");
    return all;
  }
  void printPlaces(Printer &out) {
    auto block = out.block("extern \"C\" __attribute__((export_name(\"places\"))) const void *const *places()");
    out.line("static const void *const all[] = {");
    for (const PrintedCode &place : places())
      out.line("    ", place, ",");
    out.line("    nullptr};");
    out.line("return all;");
  }
  void printCall(Printer &out) {
    auto block = out.block("extern \"C\" __attribute__((export_name(\"run\"))) int run()");
    for (const auto *tensors : {&interface.inputs, &interface.outputs})
      for (auto [i, tensor] : llvm::enumerate(*tensors))
        out.line(tensors == &interface.inputs ? PrintedCode("in.") : PrintedCode("out."), tensor.place(), " = ",
                 tensor.arenaOffset
                     ? PrintedCode("reinterpret_cast<", abiText(tensor.type), " *>(", addressOf(tensor, i), ")")
                     : addressOf(tensor, i),
                 ";");
    out.line("env.size = sizeof env;");
    out.line("env.arena = arena;");
    if (bringsWeights)
      out.line("env.weights = weights;");
    if (hasThreads)
      out.line("env.parallel = &pool;");
    out.line("return ", names.prefix, "_run_with(&in, &out, &env);");
  }

  const Interface &interface;
  const ModelNames &names;
  const CodegenOptions &options;
  const WeightsImage &weights;
  bool bringsWeights, hasThreads;
  std::vector<std::string> inputNames, outputNames;
};
} // namespace

std::string unpackagedTensor(const Interface &interface) {
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors) {
      std::string which = (tensors == &interface.inputs ? "the input '" : "the output '") + tensor.name + "' ";
      if (!tensor.part.empty())
        return which + "is no tensor";
      if (tensor.type == ElementType::String && tensor.isState())
        return which + "is a state of strings";
    }
  return "";
}

int64_t wasmMemoryBytes(const Interface &interface, int64_t weightsBytes) {
  int64_t bytes = interface.arenaBytes + weightsBytes;
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors)
      bytes += tensor.arenaOffset ? 0 : tensor.maxBytes();
  return bytes;
}

StringRef wasmStringHeader() { return ownText("string.h"); }

std::string wasmWorkerScript(const CodegenOptions &options) { return legalPrefix(options.prefix) + "_worker.mjs"; }

std::string wasmModuleSource(const CodegenOptions &options) { return legalPrefix(options.prefix) + "_module.cpp"; }

std::vector<GeneratedFile> wasmPackage(const Interface &interface, const ModelNames &names,
                                       const CodegenOptions &options, const WeightsImage &weights) {
  PackagePrinter printer(interface, names, options, weights);
  std::string prefix = names.prefix.text().str();
  std::vector<GeneratedFile> files = {{wasmModuleSource(options), printer.module()},
                                      {prefix + ".mjs", printer.script()},
                                      {prefix + ".d.mts", printer.types()},
                                      {"package.json", printer.manifest()},
                                      {"README.md", printer.page()}};
  if (sharesMemory(options.target))
    files.push_back({wasmWorkerScript(options), printer.worker()});
  return files;
}

} // namespace sinter
