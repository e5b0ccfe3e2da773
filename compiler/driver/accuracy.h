// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify --labels: how often a classifier is right, what it takes for what, and where it is wrong most.
#pragma once

#include "driver/host_array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace sinter {

/// The labels of a file: an .npy of integers, or text with a whole number per line.
llvm::Expected<std::vector<int64_t>> readLabels(llvm::StringRef path);

class Accuracy {
public:
  /// `top`: how many of the largest scores count as right in top-k.
  Accuracy(std::vector<int64_t> labels, int64_t top) : labels(std::move(labels)), top(top) {}

  /// The scores of the next data set: a row per label along the last dim; or the answers, where they are integers.
  /// The error says what does not fit.
  llvm::Error add(const HostArray &scores, llvm::StringRef name);
  /// As many labels as rows; the error says which are too many.
  llvm::Error finish() const;

  void print(llvm::raw_ostream &out) const;
  /// "97.22 % (35 of 36), top-3 100.00 %".
  std::string summary() const;
  llvm::json::Object json() const;

private:
  struct Row {
    std::string name;
    int64_t label, answer;
    double margin = 0; ///< by how much the answer's score is above the label's
  };
  void addRow(const HostArray &scores, int64_t first, int64_t count, const std::string &name);
  std::vector<const Row *> worst() const;
  /// How often a label was taken for another, the most frequent first.
  std::vector<std::pair<std::pair<int64_t, int64_t>, int64_t>> mistakes() const;

  std::vector<int64_t> labels;
  int64_t top, right = 0, rightInTop = 0;
  bool hasScores = false;
  std::vector<Row> rows;
};

} // namespace sinter
