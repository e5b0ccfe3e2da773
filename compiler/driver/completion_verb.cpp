// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter completion SHELL: a script for the shell. Words that it offers come from `sinter VERB --help=words`, so that
// they are always those of the sinter that is installed.
#include "driver/answer.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr llvm::StringLiteral bash = R"SCRIPT(_sinter() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=compile known
  for known in @VERBS@; do
    [[ ${COMP_WORDS[1]} == "$known" ]] && verb=$known
  done
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sinter $verb --help=words 2>/dev/null)" -- "$word")
  elif [[ $COMP_CWORD == 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "help @VERBS@" -- "$word"; compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _sinter sinter
)SCRIPT";
constexpr llvm::StringLiteral fish = R"SCRIPT(complete -c sinter -n __fish_use_subcommand -a "help @VERBS@"
for verb in @VERBS@
  complete -c sinter -n "__fish_seen_subcommand_from $verb" -a "(sinter $verb --help=words)"
end
)SCRIPT";
constexpr llvm::StringLiteral verbNames =
#define SINTER_VERB(name, summary) " " #name
#include "driver/verbs.def"
#undef SINTER_VERB
    ;
} // namespace

int completionVerb(const Arguments &arguments) {
  Flag<std::string> shell(FlagTrait::Positional, FlagTrait::Required, Takes("bash|zsh|fish"));
  JsonFlag asJson;
  static constexpr StringRef examples[] = {"eval \"$(sinter completion bash)\"      # in ~/.bashrc; zsh alike",
                                           "sinter completion fish > ~/.config/fish/completions/sinter.fish"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Prints a script that completes verbs and flags in a shell.", examples}))
    return *status;
  std::string script;
  if (shell == "bash")
    script = bash.str();
  else if (shell == "zsh")
    script = "autoload -U bashcompinit && bashcompinit\n" + bash.str();
  else if (shell == "fish")
    script = fish.str();
  if (script.empty()) {
    printError("no completion is known for '" + shell + "'", "there are bash, zsh, fish");
    return ExitUsage;
  }
  for (size_t at; (at = script.find("@VERBS@")) != std::string::npos;)
    script.replace(at, 7, StringRef(verbNames).trim().str());
  if (asJson)
    answer(json::Object{{"shell", shell.getValue()}, {"script", script}});
  else
    outs() << script;
  return ExitOk;
}

} // namespace sinter
