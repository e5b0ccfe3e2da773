// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/accuracy.h"

#include "driver/answer.h"
#include "driver/error_saying.h"
#include "driver/tensor_file.h"
#include "support/given_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter {
namespace {
constexpr size_t mostWorst = 10, mostMistakes = 10;
/// Up to so many classes the confusion is a table.
constexpr int64_t mostColumns = 20;

double share(int64_t part, size_t all) { return all ? static_cast<double>(part) / static_cast<double>(all) : 0; }
} // namespace

Expected<std::vector<int64_t>> readLabels(StringRef path) {
  std::vector<int64_t> labels;
  if (path.ends_with(".npy")) {
    std::string problem;
    std::optional<HostArray> array = readTensorFile(path, ElementType::Undefined, {}, problem);
    if (!array)
      return errorSaying(problem);
    if (!isInteger(array->type))
      return errorSaying(path + " holds " + describe(array->type, array->dims) + "; labels are whole numbers");
    for (int64_t i = 0; i < array->size(); ++i)
      labels.push_back(static_cast<int64_t>(numberAt(*array, i)));
    return labels;
  }
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file)
    return file.takeError();
  auto text = MemoryBuffer::getMemBufferCopy((*file)->getBuffer()); // lines are read up to a zero behind them
  for (line_iterator line(*text); !line.is_at_end(); ++line) {
    int64_t label;
    if (line->trim().getAsInteger(10, label))
      return errorSaying(path + ":" + Twine(line.line_number()) + ": '" + line->trim() +
                         "' is no label: give a whole number per line, or an .npy of integers");
    labels.push_back(label);
  }
  return labels;
}

Error Accuracy::add(const HostArray &scores, StringRef name) {
  bool isAnswer = isInteger(scores.type);
  if (scores.type == ElementType::String || isComplex(scores.type))
    return errorSaying("output '" + scores.name + "' is " + describe(scores.type, scores.dims) +
                       ", which has no largest");
  hasScores |= !isAnswer;
  int64_t columns = isAnswer || scores.dims.empty() ? 1 : scores.dims.back();
  int64_t count = columns ? scores.size() / columns : 0;
  for (int64_t row = 0; row < count; ++row) {
    if (rows.size() == labels.size())
      return errorSaying("there are " + Twine(labels.size()) + " labels, and more samples");
    addRow(scores, row * columns, columns, count == 1 ? name.str() : (name + "[" + Twine(row) + "]").str());
  }
  return Error::success();
}

void Accuracy::addRow(const HostArray &scores, int64_t first, int64_t count, const std::string &name) {
  int64_t label = labels[rows.size()];
  Row row{name, label, 0};
  bool isInTop = false;
  if (!hasScores) {
    row.answer = static_cast<int64_t>(numberAt(scores, first));
  } else {
    int64_t above = 0;
    double ofLabel = label >= 0 && label < count ? numberAt(scores, first + label) : -INFINITY;
    for (int64_t i = 0; i < count; ++i) {
      if (numberAt(scores, first + i) > numberAt(scores, first + row.answer))
        row.answer = i;
      above += numberAt(scores, first + i) > ofLabel;
    }
    row.margin = numberAt(scores, first + row.answer) - ofLabel;
    isInTop = label >= 0 && label < count && above < top;
  }
  right += row.answer == label;
  rightInTop += isInTop;
  rows.push_back(std::move(row));
}

Error Accuracy::finish() const {
  return rows.size() == labels.size()
             ? Error::success()
             : errorSaying("there are " + Twine(labels.size()) + " labels and " + Twine(rows.size()) + " samples");
}

std::string Accuracy::summary() const {
  std::string text;
  raw_string_ostream out(text);
  out << format("%.2f %% (%lld of %zu)", 100 * share(right, rows.size()), static_cast<long long>(right), rows.size());
  if (hasScores && top > 1)
    out << format(", top-%lld %.2f %%", static_cast<long long>(top), 100 * share(rightInTop, rows.size()));
  return text;
}

std::vector<const Accuracy::Row *> Accuracy::worst() const {
  std::vector<const Row *> wrong;
  for (const Row &row : rows)
    if (row.answer != row.label)
      wrong.push_back(&row);
  llvm::stable_sort(wrong, [](const Row *a, const Row *b) { return a->margin > b->margin; });
  wrong.resize(std::min(wrong.size(), mostWorst));
  return wrong;
}

std::vector<std::pair<std::pair<int64_t, int64_t>, int64_t>> Accuracy::mistakes() const {
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for (const Row &row : rows)
    if (row.answer != row.label)
      ++counts[{row.label, row.answer}];
  std::vector<std::pair<std::pair<int64_t, int64_t>, int64_t>> sorted(counts.begin(), counts.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) { return a.second > b.second; });
  return sorted;
}

void Accuracy::print(raw_ostream &out) const {
  int64_t classes = 0;
  for (const Row &row : rows)
    classes = std::max({classes, row.label + 1, row.answer + 1});
  bool isTable =
      classes <= mostColumns && llvm::none_of(rows, [](const Row &row) { return row.label < 0 || row.answer < 0; });
  if (isTable) {
    std::vector<std::vector<int64_t>> table(static_cast<size_t>(classes),
                                            std::vector<int64_t>(static_cast<size_t>(classes)));
    for (const Row &row : rows)
      ++table[static_cast<size_t>(row.label)][static_cast<size_t>(row.answer)];
    out << "confusion: a row per label, a column per answer\n      ";
    for (int64_t i = 0; i < classes; ++i)
      out << format("%6lld", static_cast<long long>(i));
    for (int64_t i = 0; i < classes; ++i) {
      out << format("\n%6lld", static_cast<long long>(i));
      for (int64_t count : table[static_cast<size_t>(i)])
        out << right_justify(count ? std::to_string(count) : ".", 6);
    }
    out << "\n";
  }
  auto wrong = mistakes();
  if (wrong.empty())
    return;
  out << "mistaken most often:";
  for (size_t i = 0; i < std::min(wrong.size(), mostMistakes); ++i)
    out << (i ? ", " : " ") << wrong[i].first.first << " for " << wrong[i].first.second << " (" << wrong[i].second
        << ")";
  out << "\nworst samples\n";
  for (const Row *row : worst()) {
    out << "  " << row->name << ": " << row->label << " taken for " << row->answer;
    if (hasScores)
      out << format(", whose score is %.3g more", row->margin);
    out << "\n";
  }
}

json::Object Accuracy::json() const {
  json::Array confusion, worstRows;
  for (const auto &[pair, count] : mistakes())
    confusion.push_back(json::Object{{"label", pair.first}, {"answer", pair.second}, {"count", count}});
  for (const Row *row : worst()) {
    json::Object object{{"name", utf8(row->name)}, {"label", row->label}, {"answer", row->answer}};
    if (std::isfinite(row->margin))
      object["margin"] = row->margin;
    worstRows.push_back(std::move(object));
  }
  json::Object object{{"samples", static_cast<int64_t>(rows.size())},
                      {"right", right},
                      {"share", share(right, rows.size())},
                      {"mistakes", std::move(confusion)},
                      {"worst_samples", std::move(worstRows)}};
  if (hasScores) {
    object["top"] = top;
    object["share_in_top"] = share(rightInTop, rows.size());
  }
  return object;
}

} // namespace sinter
