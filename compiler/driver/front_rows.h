// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures and sound of `sinter generate`: which front ends are given what, and the header by which the program calls
// them (runner/given_rows.h). Their rows stand where the prompt has a token that the configuration names.
#pragma once

#include "codegen/abi/session.h"
#include "codegen/text/element_text.h"
#include "driver/decoder_folder.h"
#include "driver/host_array.h"

namespace sinter {

constexpr llvm::StringRef frontRowsHeader = "sinter_given.h";

class FrontRows {
public:
  FrontRows(const Interface &decoder, const SessionPlan &plan, llvm::ArrayRef<HostArray> arrays)
      : plan(plan), wanted(embeddedRows(decoder, plan)), arrays(arrays), hasGrid(hasGridPositions(decoder, plan)) {}

  /// Whether each array is an input of a front end, which has all of them then. False after a message.
  bool settle(const DecoderConfig &config);

  /// All arrays, and how the header finds them there.
  const std::string &file() const { return bytes; }
  /// The type of the rows' numbers.
  std::string number() const { return PrintedCode(abiText(wanted->type)).text().str(); }
  llvm::StringRef header() const { return printer.text(); }

private:
  bool add(const EncodeProgram &front, std::optional<int64_t> token, llvm::StringRef name, int64_t merged);
  const HostArray *find(const InterfaceTensor &input) const;
  bool fits(const EncodeProgram &front, const InterfaceTensor &input, const HostArray &array,
            llvm::StringMap<int64_t> &sizes) const;
  const InterfaceTensor *rowsOf(const EncodeProgram &front) const;
  void print(const EncodeProgram &front, const InterfaceTensor &rows, int64_t token,
             const llvm::StringMap<int64_t> &sizes, const PrintedCode &grids);
  std::optional<PrintedCode> gridsOf(const EncodeProgram &front, int64_t merged) const;

  const SessionPlan &plan;
  std::optional<EmbeddedRows> wanted;
  llvm::ArrayRef<HostArray> arrays;
  bool hasGrid;               ///< rows of pictures have places in them
  std::vector<size_t> places; ///< of arrays in the file
  std::string bytes;
  Printer printer;
  size_t printed = 0;
};

} // namespace sinter
