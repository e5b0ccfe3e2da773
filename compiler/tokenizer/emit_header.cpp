// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/emit.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// @ is the prefix, # the same in capitals, $1 and $2 are numbers, $4 is of others.
constexpr StringLiteral headerText =
    R"(/* Made by sinter tokenizer. C99 and C++; characters as in Unicode $3. Functions may be called from several threads. */
#ifndef #_H
#define #_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define #_TOKENS $1u     /* ids are below this */
#define #_TOKEN_BYTES $2u /* that much text comes of one token, at most */

/* Flags of encoding. */
#define #_BARE 1u       /* without the tokens that go around a text */
#define #_PLAIN_TEXT 2u /* special tokens that the text spells are text like other text: for what a user types */
/* Flags of decoding. */
#define #_WITH_SPECIAL 1u /* special tokens have text too */

/* What encoding returns besides a count. */
#define #_NO_MEMORY (-1) /* there is too little scratch, or malloc gave none */
#define #_TOO_LONG (-2)  /* 2^28 bytes of text and more */

/* How many token ids the text has; the first `capacity` of them are written to `ids`. Bytes that are no UTF-8 count as U+FFFD.
   Memory is taken from malloc for the time of the call; @_encode_in has that of the caller, for which @_scratch_bytes suffices
   always, and much less most of the time. */
int64_t @_encode(const char *text, size_t bytes, int32_t *ids, size_t capacity, uint32_t flags);
int64_t @_encode_in(const char *text, size_t bytes, int32_t *ids, size_t capacity, uint32_t flags, void *scratch,
                    size_t scratch_bytes);
size_t @_scratch_bytes(size_t bytes);

/* How many bytes of UTF-8 the tokens are; the first `capacity` of them are written to `text`. No memory is taken. */
int64_t @_decode(const int32_t *ids, size_t count, char *text, size_t capacity, uint32_t flags);

/* Token by token, whole code points only: what is cut within one, three bytes at most, is held until the next token. Zero
   is the start of a text: @_stream s = {0}. The functions return how many bytes they wrote; #_TOKEN_BYTES is capacity
   enough for both. */
typedef struct @_stream {
  uint32_t state[3];
} @_stream;
size_t @_stream_next(@_stream *stream, int32_t id, char *text, size_t capacity, uint32_t flags);
/* What is held when no token follows. */
size_t @_stream_end(@_stream *stream, char *text, size_t capacity);

/* The id of the token of this text; -1 where there is none. It looks through all tokens. */
int32_t @_token(const char *text, size_t bytes);
$4
#ifdef __cplusplus
}
#endif
#endif
)";
} // namespace

std::string emitHeader(const CompiledTokenizer &tokenizer, StringRef prefix, StringRef more) {
  std::string result;
  for (size_t i = 0; i < headerText.size(); ++i) {
    char c = headerText[i];
    StringRef rest = headerText.drop_front(i);
    if (c == '@')
      result += prefix;
    else if (c == '#' && !rest.starts_with("#ifndef") && !rest.starts_with("#ifdef") && !rest.starts_with("#endif") &&
             !rest.starts_with("#define") && !rest.starts_with("#include"))
      result += prefix.upper();
    else if (c != '$')
      result += c;
    else if (headerText[++i] == '1')
      result += std::to_string(tokenizer.tokenFlags.size());
    else if (headerText[i] == '2') // each byte may be U+FFFD, and three more may be held
      result += std::to_string(3 * (size_t(tokenizer.longestText) + 3));
    else if (headerText[i] == '3')
      result += unicodeVersion();
    else
      result += more;
  }
  return result;
}

} // namespace sinter::tokenizer
