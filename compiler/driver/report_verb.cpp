// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter report: the page of what `analyze --json`, `bench --json`, `quantize --report` or a library's report said
// before, or of two of them side by side: two machines, two targets, before and after. Its parts: page/.
#include "driver/answer.h"
#include "driver/error_saying.h"
#include "driver/model_graph.h"
#include "driver/quantization_answer.h"
#include "driver/report_page.h"
#include "support/bounded_json.h"
#include "support/given_file.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {
namespace {
bool isReport(const json::Object *object) {
  return object && object->getObject("ram") && object->getObject("flash") && object->getArray("kernels");
}

/// A report by itself, as it lies beside a library, becomes what a verb would answer of it.
Expected<json::Object> readAnswer(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file)
    return file.takeError();
  Expected<json::Value> parsed = parseBoundedJson((*file)->getBuffer(), JsonLimits::ofReport());
  if (!parsed)
    return errorSaying(path + ": " + toString(parsed.takeError()));
  json::Object *answer = parsed->getAsObject();
  if (isReport(answer))
    return json::Object{{"model", answer->getString("prefix").value_or(path)}, {"report", std::move(*answer)}};
  if (answer && isQuantization(*answer)) {
    if (std::string problem = problemOfQuantization(*answer); !problem.empty())
      return errorSaying(path + ": no report of a quantization: " + problem);
    if (!answer->getString("model"))
      (*answer)["model"] = path; // the file of --report does not say
    return std::move(*answer);
  }
  if (!answer || !isReport(answer->getObject("report")) || !answer->getString("model"))
    return errorSaying(path + ": no report of a compiled model");
  if (const json::Value *graph = answer->get("graph"); graph && !isModelGraph(*graph))
    return errorSaying(path + ": \"graph\" is not what `analyze --json` writes");
  return std::move(*answer);
}
} // namespace

int reportVerb(const Arguments &arguments) {
  FlagList files(FlagTrait::Positional, FlagTrait::Required, Takes("REPORT.json"));
  HtmlFlag html;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter report kws_report.json --html kws.html             what lies beside libkws.a, to look at",
      "sinter report q.json --html q.html                        what quantization did to each layer",
      "sinter report before.json after.json --html both.html     two answers of `sinter bench --json`, compared"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments,
          {"Draws a report, or what analyze, bench and quantize said under --json; of two it says what differs.",
           examples}))
    return *status;
  if (html.empty()) {
    printError("--html is missing: where does the page go?");
    return ExitUsage;
  }
  if (files.size() > 2) {
    printError("at most two reports are compared, and " + std::to_string(files.size()) + " are given");
    return ExitUsage;
  }
  json::Object page;
  for (const auto &[i, file] : enumerate(files)) {
    Expected<json::Object> read = readAnswer(file);
    if (!read) {
      printError(toString(read.takeError()),
                 "`sinter analyze --json`, `sinter bench --json`, `sinter quantize --json` and each library write one");
      return ExitUsage;
    }
    if (i > 0 && isQuantization(page) != isQuantization(*read)) {
      printError("one report is of a quantization, the other of a compiled model: they have nothing to compare");
      return ExitUsage;
    }
    if (i == 0)
      page = std::move(*read);
    else
      page["other"] = std::move(*read);
  }
  ExitStatus status = writeReportPage(page, html);
  if (status == ExitOk)
    answer(json::Object{{"model", *page.getString("model")}, {"output", utf8(html)}});
  return status;
}

} // namespace sinter
