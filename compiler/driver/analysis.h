// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter analyze` found out, and its two printers. Gathering: analyze_verb.cpp.
#pragma once

#include "driver/compile_model.h"
#include "driver/model_report.h"

namespace sinter {

struct Analysis {
  std::string model;
  ModelSummary summary;
  Diagnostics diagnostics;
  std::optional<ModelReport> report; ///< where the model compiles
};

void printAnalysis(const Analysis &analysis, llvm::raw_ostream &out);
/// Of a GPU's program. analysis_device.cpp
void printDevice(const ModelReport &report, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const Analysis &analysis);

/// "lowered", "by a function of the model", "unknown", ...
std::string supportText(const Inventory::Operator &use);
bool isSupported(const Inventory::Operator &use);

} // namespace sinter
