// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "width.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

/// Which characters of a line of code stand in a literal, quotes included.
SmallVector<bool> inLiterals(StringRef line) {
  SmallVector<bool> inside(line.size(), false);
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    inside[i] = quote != 0 || line[i] == '"' || line[i] == '\'';
    if (quote && line[i] == '\\' && i + 1 < line.size())
      inside[++i] = true;
    else if (quote && line[i] == quote)
      quote = 0;
    else if (!quote && inside[i])
      quote = line[i];
  }
  return inside;
}

/// Where a comment begins behind code; npos: nowhere.
size_t commentIn(StringRef line) {
  SmallVector<bool> inside = inLiterals(line);
  for (size_t at = line.find('/'); at != StringRef::npos; at = line.find('/', at + 1))
    if (!inside[at] && (line.substr(at).starts_with("//") || line.substr(at).starts_with("/*")))
      return at;
  return StringRef::npos;
}

class Breaker {
public:
  explicit Breaker(size_t width) : width(width) {}

  void line(StringRef text) {
    StringRef rest = text.ltrim(' ');
    std::string indent(text.size() - rest.size(), ' ');
    if (text.size() <= width || rest.starts_with("#")) {
      put(text);
    } else if (rest.starts_with("//")) {
      words(rest, indent, indent + "// ");
    } else if (size_t comment = commentIn(rest); comment != StringRef::npos) {
      StringRef behind = rest.substr(comment);
      if (behind.starts_with("//")) {
        words(behind, indent, indent + "// ");
        line(indent + rest.take_front(comment).rtrim().str());
      } else {
        line(indent + rest.take_front(comment).rtrim().str());
        words(behind, indent + "    ", indent + "     * ");
      }
    } else {
      code(rest, indent);
    }
  }

  std::string take() { return std::move(out); }

private:
  void put(StringRef text) {
    out += text;
    out += '\n';
  }

  /// Text of a comment, broken between words.
  void words(StringRef rest, StringRef first, StringRef others) {
    StringRef begin = first;
    while (begin.size() + rest.size() > width) {
      size_t at = rest.take_front(width - begin.size() + 1).rfind(' ');
      if (at == StringRef::npos || at < 4)
        at = rest.find(' ', 4);
      if (at == StringRef::npos)
        break;
      put((begin + rest.take_front(at).rtrim()).str());
      rest = rest.drop_front(at + 1);
      begin = others;
    }
    put((begin + rest).str());
  }

  void code(StringRef rest, StringRef indent) {
    std::string begin = indent.str();
    while (begin.size() + rest.size() > width) {
      size_t room = width - begin.size(), at = breakIn(rest, room);
      if (at == 0)
        break;
      bool isLiteral = inLiterals(rest)[at - 1] && inLiterals(rest)[at];
      put(begin + (isLiteral ? rest.take_front(at).str() + "\"" : rest.take_front(at).rtrim(' ').str()));
      rest = rest.drop_front(at);
      begin = indent.str() + (isLiteral ? "    \"" : "    ");
      if (isLiteral) { // what follows is read with its quote in front
        opened = "\"" + rest.str();
        begin.pop_back();
        rest = opened;
      }
    }
    put(begin + rest.str());
  }

  /// How many characters of code the line keeps; 0: no place to break it.
  static size_t breakIn(StringRef text, size_t room) {
    SmallVector<bool> inside = inLiterals(text);
    for (StringRef separator : {", ", " = ", " && ", " || ", " ? ", " : ", " + "})
      for (size_t at = text.take_front(room).rfind(separator); at != StringRef::npos && at > 0;
           at = text.take_front(at).rfind(separator))
        if (!inside[at])
          return at + separator.size();
    // A literal: not in an escape, and not next to its quotes.
    for (size_t at = room - 1; at > 8; --at)
      if (inside[at - 1] && inside[at] && !text.substr(at - 4, 5).contains('\\') &&
          !text.substr(at - 1, 2).contains('"'))
        return at;
    return 0;
  }

  size_t width;
  std::string out;
  std::string opened; ///< the rest of a literal that was broken
};
} // namespace

std::string withinWidth(StringRef text, size_t width) {
  Breaker breaker(width);
  for (StringRef rest = text; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    breaker.line(line);
    rest = others;
  }
  return breaker.take();
}

std::string withContents(StringRef text) {
  struct Entry {
    size_t line;
    std::string text;
  };
  std::vector<Entry> entries;
  size_t number = 0;
  for (StringRef line : llvm::split(text, '\n')) {
    ++number;
    StringRef rest = line;
    if (rest.consume_front(sectionBegin)) {
      entries.push_back({number, rest.rtrim(" =").str()});
    } else if (rest.consume_front("SINTER_NOINLINE ")) {
      StringRef name = rest.take_until([](char c) { return c == '('; }).rsplit(' ').second;
      if (name.size() > 1 && name[0] == 'k' && isDigit(name[1]))
        entries.push_back({number, "  " + name.str()});
    }
  }
  if (entries.empty())
    return text.str();
  StringRef first = text.take_front(text.find("\n#") + 1), rest = text.drop_front(first.size());
  std::string contents = "//\n// Contents, by line:\n";
  size_t added = entries.size() + 2;
  for (const Entry &entry : entries)
    llvm::raw_string_ostream(contents) << "//" << llvm::right_justify(std::to_string(entry.line + added), 7) << "  "
                                       << entry.text << "\n";
  return first.str() + contents + rest.str();
}

} // namespace sinter
