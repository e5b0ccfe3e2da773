// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/plan_model.h"

#include "adapter/merge_adapter.h"
#include "driver/dim_polynomials.h"
#include "driver/mlir_errors.h"
#include "driver/operator_support.h"
#include "driver/quantized_edges.h"
#include "frontend/describe_nodes.h"
#include "frontend/function_body.h"
#include "graph/cross_caches.h"
#include "graph/differentiate.h"
#include "graph/input_hints.h"
#include "ir/work.h"
#include "kernels/tuning_site.h"
#include "memory/unbounded_sizes.h"
#include "ops/states.h"
#include "passes/algebra/support/contradictions.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where the quantized part begins and ends, for the report.
void noteQuantization(ModuleOp module) {
  SmallVector<Attribute> quantizing, dequantizing;
  module.walk([&](NodeOp node) {
    StringRef type = node.getOpType();
    auto place = dyn_cast<NameLoc>(node.getLoc());
    if (place && (type == "QuantizeLinear" || type == "DynamicQuantizeLinear"))
      quantizing.push_back(place.getName());
    else if (place && type == "DequantizeLinear")
      dequantizing.push_back(place.getName());
  });
  if (quantizing.empty() || dequantizing.empty())
    return;
  module->setAttr("sinter.quantizing", ArrayAttr::get(module.getContext(), quantizing));
  module->setAttr("sinter.dequantizing", ArrayAttr::get(module.getContext(), dequantizing));
}

/// The output with that name; none if there is none.
std::optional<unsigned> outputNamed(ModuleOp module, StringRef name) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (main.getResultAttrOfType<StringAttr>(i, "sinter.name") == name)
      return i;
  return std::nullopt;
}

/// Of the logits a session gives the last rows, and if it has hidden states, what they are made of.
void markLastRows(ModuleOp module, const SessionPlan &plan) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Builder b(module.getContext());
  std::optional<unsigned> logits = outputNamed(module, plan.logits);
  if (!logits)
    return;
  main.setResultAttr(*logits, "sinter.last_rows", b.getI64IntegerAttr(plan.rows));
  if (!plan.hidden.empty())
    main.setResultAttr(*logits, "sinter.hidden_states", b.getStringAttr(plan.hidden));
}

/// What --cache is of.
void noteCaches(ModuleOp module, const CompileJob &job) {
  Builder b(module.getContext());
  module->setAttr("sinter.cache", b.getStringAttr(job.decoder->cache));
  module->setAttr("sinter.caches", b.getStrArrayAttr(llvm::to_vector_of<StringRef>(job.decoder->caches)));
}

/// Which caches could not be held so, and which are read at a cost.
bool reportNarrowCaches(ModuleOp module, Diagnostics &diagnostics) {
  auto first = [&](StringRef list) {
    auto names = module->getAttrOfType<ArrayAttr>(list);
    std::string text = names ? "'" + cast<StringAttr>(names[0]).getValue().str() + "'" : "";
    if (names && names.size() > 1)
      text += " and " + std::to_string(names.size() - 1) + " more";
    return text;
  };
  if (std::string names = first("sinter.widened_caches"); !names.empty())
    diagnostics.note("--cache: not only attention reads " + names + ": each call makes floats of all rows");
  std::string names = first("sinter.wide_caches");
  if (!names.empty())
    diagnostics.report({Code::WideCache,
                        names + " is made another way than by putting rows of keys or values into it",
                        {},
                        "compile without --cache"});
  return names.empty();
}

void reportContradictions(ModuleOp module, Diagnostics &diagnostics) {
  for (cf::AssertOp assertion : contradictionsIn(module)) {
    ModelPlace place;
    if (auto name = dyn_cast<NameLoc>(assertion.getLoc()))
      place.node = name.getName().str();
    diagnostics.report({Code::ShapeMismatch, ("'" + assertion.getMsg() + "' holds for no input").str(), place,
                        "look at the sizes of what the node reads, for example with onnx.shape_inference"});
  }
}
/// What --tuned is of use for, and what not.
void sayTuned(const CompileJob &job, ModuleOp module, Diagnostics &diagnostics) {
  auto tuned = job.tuned.find(job.codegen.target.name);
  if (tuned == job.tuned.end() || !job.saysTuned)
    return;
  llvm::StringSet<> here;
  module.walk([&](Operation *op) {
    if (std::optional<TuningSite> site = tuningSiteOf(op->getAttrOfType<KernelAttr>("kernel")))
      if (tuned->second.at(site->text))
        here.insert(site->text);
  });
  std::string said = "--tuned: " + std::to_string(here.size()) + " choices are measured ones";
  if (size_t others = tuned->second.taken.size() - here.size())
    said += "; " + std::to_string(others) + " are for layers of other shapes or types";
  if (job.tunedElsewhere)
    said += "; " + std::to_string(job.tunedElsewhere) + " are of another target or version of sinter";
  diagnostics.note(said);
}
} // namespace

ExitStatus planModel(const CompileJob &job, MLIRContext &context, Diagnostics &diagnostics, PlannedModel &planned) {
  OwningOpRef<ModuleOp> &module = planned.module;
  ImportOptions import = job.import;
  if (std::optional<Problem> problem = resolvePolynomials(job, import.dims)) {
    diagnostics.report(*problem);
    return ExitModel;
  }
  module = importModel(job.model, import, context, diagnostics, &planned.summary);
  if (!module) {
    reportUnsupported(planned.summary.inventory, diagnostics);
    return ExitModel;
  }
  PassContext passContext{job.codegen.target,
                          job.pipeline.fit,
                          job.pipeline.requant,
                          {job.codegen.threads},
                          {job.pipeline.foldSteps},
                          {job.pipeline.rowTilingBytes},
                          {}};
  if (auto tuned = job.tuned.find(job.codegen.target.name); tuned != job.tuned.end())
    passContext.tuned = tuned->second;
  noteContext(*module, passContext);
  MlirErrors errors(context);
  PassRunner runner(job.pipeline, std::move(passContext));
  StringRef branch = job.isFirstCall ? "settle-first-call" : "settle-cache-branch";
  if ((job.decoder || job.isFirstCall) && mlir::failed(runner.run(branch, *module)))
    return failed(diagnostics, errors, ExitInternal);
  if (job.decoder && mlir::failed(runner.run("settle-windows", *module)))
    return failed(diagnostics, errors, ExitInternal);
  if (job.generates && mlir::failed(runner.run("settle-dropout", *module)))
    return failed(diagnostics, errors, ExitInternal);
  if (!job.onlyOutputs.empty())
    keepOutputs(*module, job.onlyOutputs);
  for (const std::shared_ptr<const Adapter> &adapter : job.adapters)
    if (mlir::failed(mergeAdapter(*module, *adapter, job.adapterSide, job.import.shared, diagnostics)))
      return ExitModel;
  if (std::optional<Problem> problem = notePolynomials(job, *module)) {
    diagnostics.report(*problem);
    return ExitModel;
  }
  planned.nodes = describeNodes(*module);
  planned.inputHints = inputHintsOf(*module);
  (*module)->setAttr("sinter.model_sha256", StringAttr::get(&context, planned.summary.sha256));
  if (job.codegen.fast)
    (*module)->setAttr("sinter.fast", UnitAttr::get(&context)); // what kernels of GPUs ask

  if (mlir::failed(applyForms(*module, job.forms, diagnostics)))
    return ExitModel;
  noteQuantization(*module);
  auto derive = [&] { return differentiate(*module, diagnostics, expandFunctionBody); };
  if (mlir::failed(runner.run("differentiate", *module, derive)))
    return failed(diagnostics, errors, ExitModel);
  if (job.onlyStates) {
    Diagnostics wrongStates; // the program for all calls has reported them
    States states = resolveStates(module->lookupSymbol<func::FuncOp>("main"), job.conversion.states, wrongStates);
    keepOutputsAt(*module, [&](unsigned output) { return states.inputOf(output).has_value(); });
  }
  if (job.codegen.session) {
    const SessionPlan &plan = *job.codegen.session;
    markLastRows(*module, plan);
    if (mlir::failed(runner.run("last-rows", *module)))
      return failed(diagnostics, errors, ExitInternal);
    if (!plan.hidden.empty() && !job.onlyStates && !outputNamed(*module, plan.hidden)) {
      diagnostics.report(
          {Code::UnclearDecoder,
           "no hidden states: '" + plan.logits + "' is no product of one row for each token with weights",
           {},
           "leave --hidden-states and --penalty-alpha away"});
      return ExitModel;
    }
  }
  if (job.quantizedIo && mlir::failed(quantizeEdges(*module, job.conversion.states, runner, diagnostics)))
    return failed(diagnostics, errors, ExitModel);
  if (mlir::failed(simplifyNodes(*module, runner)))
    return failed(diagnostics, errors, ExitInternal);
  ConversionOptions conversion = job.conversion;
  conversion.expandBody = expandFunctionBody;
  conversion.strict = job.import.strict;
  conversion.mostUnrolled = job.import.limits.expanded(planned.summary.nodes);
  auto convert = [&] {
    LogicalResult converted = convertToTensorIR(*module, diagnostics, conversion);
    IRRewriter rewriter(&context);
    (void)runRegionDCE(rewriter, (*module)->getRegions()); // what no output needs
    return converted;
  };
  if (mlir::failed(runner.run("convert-nodes", *module, convert))) {
    reportUnsupported(planned.summary.inventory, diagnostics);
    return failed(diagnostics, errors, ExitModel);
  }
  if (job.decoder && !job.decoder->cache.empty()) {
    noteCaches(*module, job);
    for (StringRef pass : {"simplify", "narrow-caches"})
      if (mlir::failed(runner.run(pass, *module)))
        return failed(diagnostics, errors, ExitInternal);
    if (!reportNarrowCaches(*module, diagnostics))
      return ExitModel;
  }
  // Work is counted as the model gives it, before anything is optimized.
  (*module)->setAttr("sinter.macs", Builder(&context).getI64IntegerAttr(Work().macsIn(module->getBodyRegion())));
  LogicalResult done = compileToPlannedIR(*module, job.pipeline, runner);
  for (const std::string &remark : errors.remarks)
    diagnostics.note(remark);
  for (const std::string &pass : runner.notDumped())
    diagnostics.note("--dump-after=" + pass + ": that pass did not run");
  sayTuned(job, *module, diagnostics);
  reportContradictions(*module, diagnostics);
  reportUnboundedSizes(*module, diagnostics); // also of outputs, for which the plan needs no size
  if (diagnostics.hasErrors())
    return ExitModel;
  if (mlir::failed(done))
    return failed(diagnostics, errors, ExitInternal);
  return ExitOk;
}

} // namespace sinter
