// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out Code in lines: indentation, blocks that close themselves. The only way into a generated source.
#pragma once

#include "code.h"

namespace sinter {

class Printer {
public:
  /// Closes its block when it goes.
  class [[nodiscard]] Block {
  public:
    Block(Printer &printer, PrintedCode end) : printer(&printer), end(std::move(end)) {}
    Block(Block &&other) : printer(std::exchange(other.printer, nullptr)), end(std::move(other.end)) {}
    Block(const Block &) = delete;
    ~Block() { close(); }
    void close();

  private:
    Printer *printer;
    PrintedCode end;
  };

  template <class... Parts>
  void line(const Parts &...parts) {
    PrintedCode code;
    (code.append(parts), ...);
    print(code);
  }
  void blank() { out += '\n'; }
  /// `head {`, indented lines, `}`.
  template <class... Parts>
  Block block(const Parts &...parts) {
    return blockEnding("}", parts...);
  }
  /// The same with another last line: "};", "});".
  template <class... Parts>
  Block blockEnding(const PrintedCode &end, const Parts &...parts) {
    PrintedCode head;
    (head.append(parts), ...);
    head.append(" {");
    print(head);
    ++depth;
    return Block(*this, end);
  }
  /// `// text`, one line per line of ours; foreign parts come as Comment.
  template <class... Parts>
  void comment(const Parts &...parts) {
    PrintedCode code("// ");
    (code.append(parts), ...);
    print(code);
  }
  /// Lines of our own text, indented as a whole.
  void lines(const PrintedCode &text);

  llvm::StringRef text() const { return out; }
  std::string take() { return std::move(out); }

private:
  void print(const PrintedCode &code);
  std::string out;
  unsigned depth = 0;
};

} // namespace sinter
