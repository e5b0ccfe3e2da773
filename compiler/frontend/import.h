// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The importer's door: a .onnx file becomes node IR (docs/architecture.md). Nothing else in the compiler reads bytes
// that a stranger wrote.
#pragma once

#include "frontend/inventory.h"
#include "frontend/limits.h"

#include "diagnostics/diagnostics.h"
#include "ir/element_type.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <string>
#include <vector>

namespace sinter {

/// What the user says of a dim. Equal: it is static.
struct DimValue {
  int64_t min, max;
};

/// How hints spell what the user may say of dims.
enum class DimSpelling {
  Flags, ///< --dim batch=1
  CMake, ///< DIMS batch=1, as add_onnx_library has it
  Python ///< dims={'batch': 1}
};

/// Elements in raw_data's form, and who keeps them there.
struct GivenTensor {
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> dims;
  llvm::StringRef bytes;
  std::shared_ptr<void> owner;
};

/// Names that several models share, each of which has some: encoder and decoder, of what was trained for both.
struct SharedNames {
  std::shared_ptr<llvm::StringSet<>> found; ///< in models before; null: there are none
  bool isLast = true;                       ///< what none of them has is missed then

  bool isMissed(llvm::StringRef name) const { return isLast && !(found && found->contains(name)); }
  void note(llvm::StringRef name) const {
    if (found)
      found->insert(name);
  }
};

struct ImportOptions {
  llvm::StringMap<DimValue> dims;         ///< by symbol ("batch") or by place ("images:0")
  bool namesModules = false;              ///< nodes have as `sinter.scopes` what exporters say of PyTorch's modules
  llvm::StringMap<GivenTensor> given;     ///< values of graph inputs, which are constants then
  SharedNames shared;                     ///< of these, and of modules that an adapter is merged into
  llvm::StringSet<> overridable;          ///< graph inputs that have an initializer and stay inputs
  std::vector<std::string> externalRoots; ///< folders besides the model's own that may hold external data
  bool untrusted = false;                 ///< also refuses hard links
  bool strict = false;                    ///< as ONNX has it; otherwise what onnxruntime runs too, with notes
  bool hashesFiles = true;                ///< the summary has the files' SHA-256, for which all of them are read
  bool mayLackDims = false;               ///< dims of which no input has any belong to other models
  DimSpelling dimSpelling = DimSpelling::Flags;
  Limits limits;
};

/// What reports, dependency files and model info tell of the file.
struct ModelSummary {
  std::string sha256; ///< of the model file, in hexadecimal
  uint64_t bytes = 0, nodes = 0;
  int64_t irVersion = 0;
  std::string producer; ///< name and version
  std::string name;     ///< the graph's
  /// What else the file says of itself.
  struct Description {
    std::string producer, domain, text, graphText;
    int64_t version = 0;
    std::vector<std::pair<std::string, std::string>> metadata;
  };
  Description description;
  std::vector<std::pair<std::string, int64_t>> opsets;
  struct ExternalFile {
    std::string path, sha256;
  };
  std::vector<ExternalFile> externalFiles; ///< in order of first use
  /// The model and its external data, mapped until the context goes.
  std::vector<std::shared_ptr<llvm::MemoryBuffer>> files;
  Inventory inventory;
};

/// Null when a problem was reported; all problems of the model are reported in one run. The file is mapped until the
/// context goes, and must not be shortened in between.
mlir::OwningOpRef<mlir::ModuleOp> importModel(llvm::StringRef path, const ImportOptions &options,
                                              mlir::MLIRContext &context, Diagnostics &diagnostics,
                                              ModelSummary *summary = nullptr);

/// The same for bytes in memory; `folder` is where external data may lie (empty: nowhere).
mlir::OwningOpRef<mlir::ModuleOp> importModelBytes(std::shared_ptr<llvm::MemoryBuffer> bytes, llvm::StringRef folder,
                                                   const ImportOptions &options, mlir::MLIRContext &context,
                                                   Diagnostics &diagnostics, ModelSummary *summary = nullptr);

} // namespace sinter
