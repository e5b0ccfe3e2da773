// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws_session.h, C99.
#include "codegen/abi/session.h"

#include "codegen/abi/abi_header.h"
#include "codegen/abi/session_memory.h"
#include "codegen/text/element_text.h"
#include "codegen/text/printer.h"

namespace sinter {

std::string printSessionHeader(const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  const SessionPlan &plan = *options.session;
  const Identifier &prefix = names.prefix, &macro = names.macro;
  int64_t heads = 0;
  for (const InterfaceTensor &tensor : interface.outputs)
    if (llvm::is_contained(plan.attentions, tensor.name))
      heads = tensor.dims[1].size;
  Printer out;
  printOrigin(out, interface, options);
  out.line("/* A sequence of tokens that goes on from call to call. A session's memory is the caller's: ", macro,
           "_SESSION_BYTES, aligned to ", macro, "_SESSION_ALIGN. */");
  out.line("#ifndef ", macro, "_SESSION_H");
  out.line("#define ", macro, "_SESSION_H");
  out.blank();
  out.line("#include \"", prefix, ".h\"");
  for (const EncodeProgram &program : plan.fronts)
    out.line("#include \"", ModelNames(program.prefix).prefix, ".h\"");
  out.blank();
  out.line("#define ", macro, "_SESSION_CONTEXT ", plan.context, " /* tokens that the caches hold */");
  out.line("#define ", macro, "_SESSION_CHUNK ", plan.chunk,
           " /* new tokens of one call of the model; longer prompts are several */");
  out.line("#define ", macro, "_SESSION_BATCH ", plan.batch, " /* sequences side by side */");
  if (plan.batch > 1)
    out.line("#define ", macro, "_SESSION_PADS ", plan.hasPads ? plan.batch : 0, " /* ",
             plan.hasPads ? Comment("of each sequence, how many rows of padding it begins with")
                          : Comment("sequences are equally long: " + plan.noPadding),
             " */");
  out.line("#define ", macro, "_SESSION_ROWS ", plan.rows, " /* logits are there of so many last tokens of a call */");
  out.line("#define ", macro, "_SESSION_VOCABULARY ", plan.vocabulary);
  std::optional<EmbeddedRows> rows = plan.embed ? embeddedRows(interface, plan) : std::nullopt;
  const bool hasGrid = hasGridPositions(interface, plan);
  if (rows)
    out.line("#define ", macro, "_SESSION_WIDTH ", rows->width, " /* of a row that stands for a token */");
  if (!plan.encode.empty())
    out.line("#define ", macro, "_SESSION_SOURCE ", encodeBounds(plan).second,
             " /* the most tokens or frames that are encoded */");
  if (!plan.programs().empty())
    out.line("#define ", macro, "_SESSION_ARENA_BYTES ", SessionMemory(interface, options).arena(),
             " /* of an arena that `env` brings */");
  if (!plan.attentions.empty()) {
    out.line("#define ", macro, "_SESSION_ATTENTIONS ", plan.attentions.size(),
             " /* layers whose attention is there */");
    out.line("#define ", macro, "_SESSION_HEADS ", heads);
  }
  for (const InterfaceTensor &tensor : interface.outputs)
    if (tensor.name == plan.hidden)
      out.line("#define ", macro, "_SESSION_HIDDEN ", tensor.dims.back().size, " /* of a token's hidden state */");
  if (!plan.adapters.empty()) {
    out.line("#define ", macro, "_SESSION_ADAPTERS ", plan.adapters.size(), " /* that are switched on and off */");
    Names used;
    for (auto [i, name] : llvm::enumerate(plan.adapters))
      out.line("#define ", macro, "_ADAPTER_", used.make(llvm::StringRef(name).upper()), " ", i);
  }
  out.line("#define ", macro, "_SESSION_BYTES ", SessionMemory(interface, options).bytes());
  out.line("#define ", macro, "_SESSION_ALIGN ", macro, "_ARENA_ALIGN");
  printDeclarationsBegin(out);
  {
    auto block = out.blockEnding(PrintedCode("} ", prefix, "_session;"), "typedef struct ", prefix, "_session");
    out.line("int64_t length; /* tokens that the caches hold */");
    if (plan.hasPads)
      out.line(
          "int64_t pads[", macro,
          "_SESSION_PADS]; /* of each sequence, how many of its first tokens are padding, any token, which none of "
          "its own looks at: 0 at first. A sequence begins anew where it is set to `length` */");
    if (hasGrid) {
      out.line("int64_t behind; /* by how much the next token's position is less than its place, after pictures */");
      out.line("int64_t pictured; /* tokens up to the end of the last picture */");
    }
    if (!plan.encode.empty())
      out.line("int64_t encoded; /* rows of what the encoder made; 0: nothing is encoded */");
    out.line("const float *logits; /* [", macro, "_SESSION_BATCH][rows][", macro,
             "_SESSION_VOCABULARY] behind the last tokens, good until the next call; null before the first */");
    out.line("int64_t rows; /* as many as the last call had tokens, ", macro, "_SESSION_ROWS at most */");
    if (!plan.attentions.empty())
      out.line("const float *attentions[", plan.attentions.size(), "]; /* of each layer [", macro, "_SESSION_BATCH][",
               macro,
               "_SESSION_HEADS][new tokens][encoded]: what the tokens of the last call look at; as good as logits */");
    if (!plan.hidden.empty())
      out.line("const float *hidden; /* [", macro, "_SESSION_BATCH][new tokens][", macro,
               "_SESSION_HIDDEN]: what the logits of each token of the last call are made of; good until the next call "
               "of any kind, null where a call has taken tokens back or copied them */");
    if (!plan.adapters.empty())
      out.line("float adapters[", macro,
               "_SESSION_ADAPTERS]; /* how much of each counts for the tokens of the next calls: 0 at first, 1 as it "
               "was trained */");
    out.line("unsigned char *memory;");
    out.line("sinter_env env;");
    if (!plan.programs().empty() && options.weights == "file")
      out.line("const void *weights; /* of all programs; the decoder's are the last */");
  }
  out.blank();
  out.line("size_t ", prefix, "_session_bytes(void);");
  out.line("/* An empty sequence. `env` may be null; it brings weights, a thread pool, or an arena that sessions share "
           "whose "
           "calls do not overlap. */");
  out.line("int ", prefix, "_session_init(", prefix, "_session *session, void *memory, const sinter_env *env);");
  if (!plan.encode.empty()) {
    auto [least, most] = encodeBounds(plan);
    out.line("/* Encodes what the text is made of, and begins it: no tokens are held then. ", encodeComment(plan),
             ", count ", least == most ? Comment(std::to_string(most)) : Comment("from 1 to " + std::to_string(most)),
             ". */");
    out.line("int ", prefix, "_encode(", prefix, "_session *session, ", encodeParameter(plan), ", int64_t count);");
  }
  out.line(
      "/* Appends `count` tokens to each sequence: ids[batch][count]. SINTER_CAPACITY_EXCEEDED, and nothing is done, "
      "where they do not fit. After another status the tokens that were taken are in session->length. */");
  out.line("int ", prefix, "_prefill(", prefix, "_session *session, const int64_t *ids, int64_t count);");
  if (rows) {
    out.line("/* The same, by rows that stand for tokens, such as those made of a picture: rows[batch][count][", macro,
             "_SESSION_WIDTH]. */");
    out.line("int ", prefix, "_prefill_rows(", prefix, "_session *session, const ", abiText(rows->type),
             " *rows, int64_t count);");
  }
  if (hasGrid) {
    out.line("/* The same of a picture, or of frames of one size: rows[batch][frames][height][width][", macro,
             "_SESSION_WIDTH]. Each row has three positions; what follows goes on behind the greatest of them. */");
    out.line("int ", prefix, "_prefill_picture(", prefix, "_session *session, const ", abiText(rows->type),
             " *rows, int64_t frames, int64_t height, int64_t width);");
  }
  out.line("/* Appends one token to each sequence: ids[batch]. `logits` may be null. */");
  out.line("int ", prefix, "_step(", prefix, "_session *session, const int64_t *ids, const float **logits);");
  out.line("/* Forgets all tokens behind the first `length`",
           hasGrid ? Comment(", which has all pictures or none") : Comment(""), ". No logits are there then. */");
  out.line("int ", prefix, "_rewind(", prefix, "_session *session, int64_t length);");
  out.line("/* `to`, which has been initialized, becomes a copy of `from`. */");
  out.line("int ", prefix, "_fork(", prefix, "_session *to, const ", prefix, "_session *from);");
  printFrontDeclarations(out, names, plan);
  printDeclarationsEnd(out);
  return out.take();
}

} // namespace sinter
