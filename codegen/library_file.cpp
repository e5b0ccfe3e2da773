// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_file.h"

#include "amalgamate.h"
#include "codegen/abi/source_head.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace sinter {

static constexpr llvm::StringLiteral stem = "sinter_kernels_";

static std::string digestOf(StringRef text) {
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 12);
}

FailureOr<std::string> libraryText(const std::set<std::string> &headers, const CodegenOptions &options,
                                   std::string &missing) {
  FailureOr<Amalgamation> library = amalgamate(headers, options.templatesFolder, missing, &options.target);
  if (failed(library))
    return failure();
  Printer text;
  for (const std::string &header : library->systemHeaders)
    text.line("#include <", PrintedCode::trusted(header), ">");
  text.blank();
  printLibraryText(text, *library, options.target);
  return text.take();
}

FailureOr<GeneratedFile> libraryFile(const CodegenOptions &options, std::string &missing) {
  FailureOr<std::string> body = libraryText(headersForCpus(options.templatesFolder), options, missing);
  if (failed(body))
    return failure();
  std::string digest = digestOf(*body);
  PrintedCode guard = PrintedCode::trusted("SINTER_KERNELS_" + StringRef(digest).upper());
  Printer out;
  out.comment("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.comment("Sinter's library for ", Comment(options.target.name), ", by ", Comment(options.compiler),
              ": the kernels that the sources of nets beside it include.");
  out.comment("It belongs to its user, without obligation.");
  out.line("#ifndef ", guard);
  out.line("#define ", guard);
  out.lines(PrintedCode::trusted(*body));
  out.line("#endif");
  return GeneratedFile{(stem + digest + ".h").str(), out.take()};
}

bool isLibraryFile(StringRef name) { return name.starts_with(stem); }

} // namespace sinter
