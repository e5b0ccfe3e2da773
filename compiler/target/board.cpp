// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of targets/boards.
#include "target/board.h"

#include "support/embedded.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using sinter::Board;

template <>
struct yaml::MappingTraits<Board> {
  static void mapping(yaml::IO &io, Board &board) {
    io.mapRequired("name", board.name);
    io.mapRequired("summary", board.summary);
    io.mapOptional("emulator", board.emulator);
    io.mapRequired("machine", board.machine);
    io.mapRequired("clock_hz", board.clockHz);
  }
};

namespace sinter {
namespace boards {
extern const EmbeddedFile embedded[];
}

const EmbeddedFile *boardFiles() { return boards::embedded; }

std::optional<Board> findBoard(const Target &target, StringRef name, std::string &problem) {
  if (name.empty() && !target.boards.empty())
    name = target.boards.front();
  if (!llvm::is_contained(target.boards, name)) {
    problem = "target " + target.name + " does not run on a board '" + name.str() + "'; " +
              (!target.boards.empty()       ? "it runs on " + join(target.boards, ", ")
               : target.isMicrocontroller() ? "none is known for it"
                                            : "it needs none");
    return std::nullopt;
  }
  for (const EmbeddedFile *file = boards::embedded; file->name; ++file) {
    if (StringRef(file->name) != (name + ".yaml").str())
      continue;
    Board board;
    yaml::Input input(file->text);
    input >> board;
    if (input.error())
      report_fatal_error("an embedded board description is not valid");
    return board;
  }
  report_fatal_error("a target names a board that is not described");
}

} // namespace sinter
