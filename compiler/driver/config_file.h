// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configuration files that exporters put beside a model. They are a stranger's bytes: of a size and depth that is
// bounded before they are parsed.
#pragma once

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// Where the configuration of a model lies: its folder, or the one above a folder named onnx.
std::string configFolderOf(llvm::StringRef model);

/// A file of a folder as JSON; nothing if it is missing, no JSON, too large or too deep.
std::optional<llvm::json::Value> readConfig(llvm::StringRef folder, llvm::StringRef name);

/// Of the files that are read so beside a model, those that are there and have no object to read.
std::vector<std::string> brokenConfigsBeside(llvm::StringRef model);

} // namespace sinter
