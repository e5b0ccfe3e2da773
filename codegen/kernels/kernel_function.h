// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function of the output under construction: its parameters come into being as the body asks for buffers, sizes and
// scalars of run. Functions whose parameters and bodies are equal are printed once: layers that repeat share code.
#pragma once

#include "codegen/run/values.h"
#include "codegen/text/names.h"
#include "codegen/text/printer.h"
#include <map>
#include <set>

namespace sinter {

/// Types that functions of a source share, each printed once.
class Structs {
public:
  Identifier declare(llvm::StringRef wish, const PrintedCode &members);
  const Printer &text() const { return printed; }

private:
  Names names;
  std::map<std::string, Identifier> byMembers;
  Printer printed;
};

/// How a function that runs on a GPU is launched, in terms of its own parameters.
struct Launch {
  PrintedCode x = "1", y = "1", z = "1"; ///< blocks
  int64_t threads = 256;                 ///< of a block
  int64_t sharedBytes = 0;               ///< of a block, beside what the function declares
};

class KernelFunction {
public:
  KernelFunction(const Values &run, Structs &structs, bool isOnDevice = false);

  /// A parameter pointing at the view's first element.
  Identifier pointer(const View &view, llvm::StringRef wish, bool written);
  /// The same for what is only read, as integers without a sign if they are.
  PrintedCode readPointer(const View &view, llvm::StringRef wish, bool isUnsigned);
  /// A size of run, in terms of the function's own parameters.
  SizeExpr local(const SizeExpr &size);
  /// A scalar of run as a parameter.
  Identifier scalar(mlir::Value value);
  /// The place where an index out of range is noted.
  PrintedCode status();
  /// The share of 0 <= i < extent that a call handles: parameters `first` and `last`. Once for a function; shares are
  /// multiples of `unit`.
  std::pair<Identifier, Identifier> share(const SizeExpr &extent, int64_t unit = 1);
  /// The same, of what a call chooses: both are expressions in the caller's sizes.
  std::pair<Identifier, Identifier> share(const PrintedCode &extent, const PrintedCode &unit);
  bool isShared() const { return shared.has_value(); }
  /// The number of the share that a call handles: a parameter.
  Identifier shareNumber();
  /// The call of one share or all, as run prints it.
  PrintedCode call(const Identifier &name, int threads) const;
  /// A parameter of our own: type and argument as given.
  Identifier parameter(const PrintedCode &type, llvm::StringRef wish, const PrintedCode &argument);
  /// A struct with these members; equal ones are one type.
  Identifier declareStruct(llvm::StringRef wish, const PrintedCode &members) { return structs.declare(wish, members); }
  bool isOnDevice() const { return onDevice; }
  /// Blocks of `threads` for `items`, a thread for each: the number of the thread is threadOfGrid<threads>().
  void launchOver(const SizeExpr &items, int64_t threads = 256);
  Launch launch;
  /// Constants of known size that the function reads, by the parameters that point at them.
  struct ConstantRead {
    Identifier pointer;
    int64_t bytes;
  };
  const std::vector<ConstantRead> &constantReads() const { return constants; }
  /// Takes out the sizes that the finished body does not mention: of 2 * N * 0 nothing is printed.
  void dropUnusedSizes();
  void need(llvm::StringRef header) { headers.insert(header.str()); }

  const Values &values() const { return run; }
  const std::set<std::string> &neededHeaders() const { return headers; }
  bool reportsStatus() const { return usesStatus; }
  PrintedCode parameters() const { return joinCode(params); }
  const std::vector<PrintedCode> &parameterNames() const { return paramNames; }
  PrintedCode arguments() const { return joinCode(args); }

  Names names;
  Printer body;

private:
  const Values &run;
  Structs &structs;
  std::vector<PrintedCode> params, paramNames, args;
  std::map<Identifier, Identifier> sizes;
  llvm::DenseMap<mlir::Value, Identifier> scalars;
  std::set<std::string> headers;
  std::vector<ConstantRead> constants;
  bool onDevice;
  bool usesStatus = false;
  struct Shares {
    PrintedCode extent, unit;
  };
  std::optional<Shares> shared;
  std::optional<Identifier> numberOfShare;
};

} // namespace sinter
