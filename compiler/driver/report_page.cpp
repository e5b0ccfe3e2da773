// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report_page.h"

#include "driver/answer.h"
#include "driver/model_graph.h"
#include "driver/output_file.h"
#include "support/embedded.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace page {
extern const EmbeddedFile embedded[];
}

namespace {
StringRef partNamed(StringRef name) {
  const EmbeddedFile *file = page::embedded;
  while (file->name && name != file->name)
    ++file;
  assert(file->name && "a part of the page is not embedded");
  return file->text;
}

/// JSON that may stand in a <script>: nothing in it ends that, or begins a comment.
std::string inScript(const json::Object &answer) {
  std::string text, safe;
  raw_string_ostream(text) << json::Value(json::Object(answer));
  for (char letter : text)
    if (letter == '<')
      safe += "\\u003c"; // it occurs in strings alone
    else
      safe += letter;
  return safe;
}
} // namespace

std::string reportPage(const json::Object &answer) {
  // Each script uses what those before it define.
  constexpr StringRef scripts[] = {"elements.js", "summary.js", "compare.js", "kernels.js",   "layers.js",
                                   "graph.js",    "time.js",    "memory.js",  "quantized.js", "treemap.js",
                                   "weights.js",  "ways.js",    "main.js"};
  auto [beforeStyle, afterStyle] = partNamed("page.html").split("@STYLE@");
  auto [beforeData, afterData] = afterStyle.split("@DATA@");
  auto [beforeScripts, end] = afterData.split("@SCRIPTS@");
  std::string text;
  raw_string_ostream out(text);
  out << beforeStyle << partNamed("style.css") << beforeData << inScript(answer) << beforeScripts;
  for (StringRef script : scripts)
    out << partNamed(script);
  out << end;
  return text;
}

ExitStatus writeReportPage(const json::Object &answer, StringRef path) {
  std::string page = reportPage(answer);
  Error error = writeOutputs({{path, page}});
  if (!error)
    return ExitOk;
  printError(toString(std::move(error)));
  return ExitUsage;
}

ExitStatus answerWithGraph(json::Object found, const CompileJob &job, bool isAnswer, StringRef page) {
  if (!isAnswer && page.empty())
    return ExitOk;
  found["graph"] = modelGraph(job);
  if (isAnswer)
    answer(json::Object(found));
  return page.empty() ? ExitOk : writeReportPage(found, page);
}

} // namespace sinter
