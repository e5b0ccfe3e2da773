// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter completion SHELL: a script for the shell. Words that it offers come from `sinter VERB --help=words` and
// `--help=values`, so that they are always those of the sinter that is installed.
#include "driver/answer.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr llvm::StringLiteral bash = R"SCRIPT(_sinter() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=compile known flag values
  for known in @VERBS@; do
    [[ ${COMP_WORDS[1]} == "$known" ]] && verb=$known
  done
  [[ $word == = ]] && word=
  [[ $before == = || ${COMP_WORDS[COMP_CWORD]} == = ]] && before=${COMP_WORDS[COMP_CWORD-1-(${#word} > 0)]}
  if [[ $COMP_CWORD -gt 1 && $before == -* ]]; then
    while read -r flag values; do
      [[ $flag == "$before" ]] || continue
      mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
      return
    done < <(sinter $verb --help=values 2>/dev/null)
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sinter $verb --help=words 2>/dev/null)" -- "$word")
  elif [[ $COMP_CWORD == 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "help @VERBS@" -- "$word"; compgen -f -- "$word")
  elif [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "@VERBS@" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _sinter sinter
)SCRIPT";
// In a folder of $fpath zsh takes the file for the function's body, and runs it at the first completion; evaluated in
// ~/.zshrc it only tells zsh of the function.
constexpr llvm::StringLiteral zsh = R"SCRIPT(#compdef sinter
_sinter() {
  local verb=compile line
  (( ${${(s: :)"$(print @VERBS@)"}[(Ie)$words[2]]} )) && verb=$words[2]
  if (( CURRENT > 2 )) && [[ $words[CURRENT-1] == -* ]]; then
    for line in ${(f)"$(sinter $verb --help=values 2>/dev/null)"}; do
      [[ ${line%% *} == $words[CURRENT-1] ]] || continue
      compadd -- ${=line#* }
      return
    done
  fi
  if [[ $PREFIX == -* ]]; then
    compadd -- ${(f)"$(sinter $verb --help=words 2>/dev/null)"}
  elif (( CURRENT == 2 )); then
    compadd -- help @VERBS@
    _files
  elif (( CURRENT == 3 )) && [[ $words[2] == help ]]; then
    compadd -- @VERBS@
  else
    _files
  fi
}
if [[ $funcstack[1] == _sinter ]]; then
  _sinter "$@"
else
  compdef _sinter sinter
fi
)SCRIPT";
constexpr llvm::StringLiteral fish = R"SCRIPT(function __sinter_words
  set -l words (commandline -opc) (commandline -ct)
  set -l verb compile
  contains -- "$words[2]" @VERBS@; and set verb $words[2]
  if string match -q -- '-*' $words[-2]
    for line in (sinter $verb --help=values 2>/dev/null)
      set -l parts (string split ' ' -- $line)
      if test "$parts[1]" = "$words[-2]"
        printf '%s\n' $parts[2..]
        return
      end
    end
  end
  if string match -q -- '-*' $words[-1]
    sinter $verb --help=words 2>/dev/null
  else if test (count $words) = 2
    printf '%s\n' help @VERBS@
  else if test "$words[2]" = help
    printf '%s\n' @VERBS@
  end
end
complete -c sinter -a '(__sinter_words)'
)SCRIPT";
constexpr llvm::StringLiteral verbNames =
#define SINTER_VERB(name, summary) " " #name
#define SINTER_ALIAS(name, verb, flag, summary) " " name
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
    script = zsh.str();
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
