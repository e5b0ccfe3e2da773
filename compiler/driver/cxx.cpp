// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running of compilers and archivers.
#include "driver/cxx.h"

#include "codegen/package.h"
#include "driver/signals.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

using namespace llvm;

namespace sinter {
namespace {
/// `ar` of the same toolchain: aarch64-linux-gnu-g++ has aarch64-linux-gnu-ar beside it, zig-c++ zig-ar. One clang++
/// compiles for all machines, and GNU's ar lists the symbols of this one's objects alone.
ErrorOr<std::string> findArchiver(StringRef compiler, bool isAimed) {
  StringRef name = sys::path::filename(compiler);
  if (isAimed)
    for (StringRef candidate : {"llvm-ar", "llvm-ar-19"})
      if (ErrorOr<std::string> found = sys::findProgramByName(candidate))
        return found;
  for (StringRef suffix : {"g++", "clang++", "c++"}) {
    size_t at = name.rfind(suffix);
    if (at == StringRef::npos)
      continue;
    std::string sibling = (sys::path::parent_path(compiler) + "/" + name.take_front(at) + "ar").str();
    if (sys::fs::can_execute(sibling))
      return sibling;
  }
  for (StringRef candidate : {"ar", "llvm-ar", "llvm-ar-19"})
    if (ErrorOr<std::string> found = sys::findProgramByName(candidate))
      return found;
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

/// A child in a process group of its own: signals then end what it has started, too, as g++ starts the compiler proper.
int spawn(StringRef program, ArrayRef<std::string> arguments, int output, pid_t &process) {
  std::string path = program.str();
  std::vector<char *> words = {path.data()};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int error = posix_spawn(&process, path.c_str(), &files, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/// Spawns it and closes `output`, which may be an error of open().
int start(StringRef program, ArrayRef<std::string> arguments, int output, sys::ProcessInfo &child,
          std::string &problem) {
  int error = output < 0 ? errno : spawn(program, arguments, output, child.Pid);
  if (output >= 0)
    close(output);
  if (error)
    problem = program.str() + ": " + std::strerror(error);
  child.Process = child.Pid;
  return error;
}

std::string readToEnd(int input) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t count; (count = read(input, part.data(), part.size())) != 0;) {
    if (count > 0)
      text.append(part.data(), count);
    else if (errno != EINTR)
      break;
  }
  close(input);
  return text;
}

/// What kept a compiler from its end where that was the machine and not the source, by the system's words for it. A
/// process that takes too much memory is killed.
std::error_code troubleOfMachine(StringRef text) {
  for (int number : {ENOSPC, EDQUOT, EFBIG, EROFS, ENOMEM}) {
    std::error_code code(number, std::generic_category());
    if (text.contains(code.message()))
      return code;
  }
  return text.contains("Killed") ? std::make_error_code(std::errc::not_enough_memory) : inconvertibleErrorCode();
}

/// What it says is kept in memory, as `output` if it succeeds: a disk may be full.
Error runTool(StringRef program, ArrayRef<std::string> arguments, std::string *output = nullptr) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return createStringError(std::error_code(errno, std::generic_category()), "no pipe to " + program);
  sys::ProcessInfo child;
  std::string problem;
  int status = -1;
  bool isStarted = start(program, arguments, ends[1], child, problem) == 0;
  std::optional<EndedOnSignal> ended;
  if (isStarted)
    ended.emplace(child.Pid);
  std::string text = readToEnd(ends[0]);
  if (isStarted)
    status = sys::Wait(child, std::nullopt, &problem).ReturnCode;
  if (output)
    *output = text;
  if (status == 0)
    return Error::success();
  if (!problem.empty())
    text += problem + "\n";
  return createStringError(troubleOfMachine(text),
                           program + " " + join(arguments, " ") + "\nended with status " + Twine(status) + "\n" + text);
}
} // namespace

int execute(StringRef program, ArrayRef<std::string> arguments, StringRef outputFile, std::string &problem,
            unsigned timeout) {
  constexpr mode_t mode = 0666;
  std::string output = outputFile.empty() ? "/dev/null" : outputFile.str();
  sys::ProcessInfo child;
  if (start(program, arguments, open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, mode), child, problem) != 0)
    return -1;
  EndedOnSignal ended(child.Pid);
  std::optional<unsigned> limit = timeout ? std::optional(timeout) : std::nullopt;
  return sys::Wait(child, limit, &problem).ReturnCode;
}

Error Cxx::run(ArrayRef<std::string> arguments) const {
  std::vector<std::string> all = flags;
  all.insert(all.end(), arguments.begin(), arguments.end());
  return runTool(program, all);
}

void Cxx::linkWith(ArrayRef<std::string> names) {
  std::vector<std::string> all = linkFlags(names);
  libraries.insert(libraries.end(), all.begin(), all.end());
}

bool Cxx::accepts(StringRef option) const {
  std::string ignored;
  return execute(program, {"-E", "-x", "c++", option.str(), "/dev/null"}, "", ignored) == 0;
}

/// Of a source for a CPU that has more than the target, what lies beside it: a line each.
static std::vector<std::string> ownFlags(const std::string &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path, /*IsText=*/true);
  std::vector<std::string> flags;
  if (file)
    for (StringRef flag : llvm::split((*file)->getBuffer(), '\n'))
      if (!flag.empty())
        flags.push_back(flag.str());
  return flags;
}

Expected<std::vector<std::string>> Cxx::compile(StringRef folder, ArrayRef<std::string> sources,
                                                ArrayRef<std::string> extra) const {
  std::vector<std::string> objects;
  for (const std::string &source : sources) {
    if (!StringRef(source).ends_with(".cpp"))
      continue;
    std::string object = (folder + "/" + StringRef(source).drop_back(4) + ".o").str();
    std::vector<std::string> arguments = {"-I", folder.str(), "-c", (folder + "/" + source).str(), "-o", object};
    if (!isFreestanding && (format == ObjectFormat::Elf || format == ObjectFormat::MachO)) // others' code lies anywhere
      arguments.push_back("-fPIC");
    for (const std::string &flag : ownFlags((folder + "/" + StringRef(source).drop_back(4) + ".flags").str()))
      if (!llvm::is_contained(flags, flag))
        arguments.push_back(flag);
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    if (Error error = run(arguments))
      return std::move(error);
    objects.push_back(object);
  }
  return objects;
}

Error Cxx::linkShared(ArrayRef<std::string> objects, StringRef output) const {
  std::vector<std::string> arguments = {"-shared", "-o", output.str()};
  // Of Windows the start files have the entry; what is not its own library comes along.
  arguments.push_back(format == ObjectFormat::Coff ? "-static" : "-nostartfiles");
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  arguments.insert(arguments.end(), libraries.begin(), libraries.end());
  return run(arguments);
}

/// g++ takes a linker by its name, from a folder that it is given.
static std::vector<std::string> fastLinkerOfGcc() {
  for (const std::string &name : {std::string("ld.lld"), "ld.lld-" + std::to_string(LLVM_VERSION_MAJOR)}) {
    ErrorOr<std::string> found = sys::findProgramByName(name);
    SmallString<128> real;
    if (!found || sys::fs::real_path(*found, real))
      continue;
    StringRef folder = sys::path::parent_path(real);
    if (sys::fs::can_execute(folder + "/ld.lld"))
      return {("-B" + folder).str(), "-fuse-ld=lld"};
  }
  return {};
}

std::vector<std::string> Cxx::fastLinker() const {
  StringRef name = sys::path::filename(program);
  if (name == "g++" || name.starts_with("g++-"))
    return fastLinkerOfGcc();
  if (!name.contains("clang"))
    return {};
  size_t dash = name.rfind('-'); // clang++-19 goes with ld.lld-19
  std::string version = dash == StringRef::npos ? "" : name.substr(dash).str();
  ErrorOr<std::string> found = sys::findProgramByName("ld.lld" + version);
  return found ? std::vector<std::string>{"--ld-path=" + *found} : std::vector<std::string>{};
}

Error Cxx::linkProgram(ArrayRef<std::string> objects, StringRef output, bool isStatic) const {
  std::vector<std::string> arguments; // LLVM's linker takes each % of its output's path for a digit to choose
  if (!output.contains('%'))
    arguments = fastLinker();
  arguments.insert(arguments.end(), {"-o", output.str()});
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  arguments.insert(arguments.end(), libraries.begin(), libraries.end());
  if (isStatic)
    arguments.push_back("-static");
  return run(arguments);
}

Error Cxx::linkImage(ArrayRef<std::string> objects, StringRef folder, StringRef script, StringRef output) const {
  std::vector<std::string> arguments = {"-nostdlib", "-L", folder.str(), "-T", script.str(), "-o", output.str()};
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  arguments.push_back("-lgcc");
  return run(arguments);
}

Error Cxx::archive(ArrayRef<std::string> objects, StringRef output) const {
  bool isAimed = llvm::any_of(flags, [](const std::string &flag) { return StringRef(flag).starts_with("--target="); });
  ErrorOr<std::string> archiver = findArchiver(program, isAimed);
  if (!archiver)
    return createStringError(archiver.getError(), "no archiver: neither beside " + program + " nor ar nor llvm-ar");
  std::vector<std::string> arguments = {"rcsD", output.str()};
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  return runTool(*archiver, arguments);
}

ArrayRef<std::string> compilersFor(const Target &target) {
  return target.isOfThisSystem() ? target.compilers : target.crossCompilers;
}

std::string compilerHint(const Target &target) {
  std::string hint = "--cxx names one";
  if (!target.packages.empty() && compilersFor(target).data() == target.crossCompilers.data())
    hint += "; Debian has it in " + join(target.packages, ", ");
  return hint;
}

/// Clang that is not called by the name of a machine, as aarch64-linux-gnu-clang++ is, compiles for its own unless it
/// is told: nothing, where that is one the target's programs run on.
static std::optional<std::string> aimOfClang(const Cxx &cxx, const Target &target) {
  if (!sys::path::filename(cxx.program).starts_with("clang") || target.portable || target.isGpu() ||
      llvm::any_of(cxx.flags, [](const std::string &flag) { return StringRef(flag).starts_with("--target="); }))
    return std::nullopt;
  std::string own;
  if (Error error = runTool(cxx.program, {"-dumpmachine"}, &own)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  Triple is(Triple::normalize(StringRef(own).trim())), wanted(Triple::normalize(target.triple));
  if (is.getArch() == wanted.getArch() && is.getOS() == wanted.getOS() && is.isAndroid() == wanted.isAndroid())
    return std::nullopt;
  return "--target=" + target.triple;
}

Expected<Cxx> findCxx(const Target &target, StringRef given, StringRef optimization) {
  std::vector<std::string> candidates;
  if (!given.empty()) {
    candidates = {given.str()};
  } else {
    candidates = compilersFor(target).vec();
    std::optional<std::string> usual = sys::Process::GetEnv("CXX");
    if (usual && !usual->empty() && target.isOfThisSystem())
      candidates.insert(candidates.begin(), *usual);
  }
  for (const std::string &candidate : candidates) {
    ErrorOr<std::string> found = sys::findProgramByName(candidate);
    if (!found || !sys::fs::can_execute(*found)) // a path is its own answer, whatever lies there
      continue;
    Cxx cxx{*found, {"-std=c++17", ("-O" + optimization).str()}, {}, target.isMicrocontroller(), target.objectFormat()};
    if (target.isGpu())
      cxx.libraries.push_back("-ldl"); // a part of the C library since glibc 2.34
    std::vector<std::string> flags = sourceFlags(target);
    cxx.flags.insert(cxx.flags.end(), flags.begin(), flags.end());
    if (given.empty()) // a compiler that is named is one for the user's machine
      cxx.flags.insert(cxx.flags.end(), target.runFlags.begin(), target.runFlags.end());
    else if (!target.isOfThisSystem())
      if (std::optional<std::string> aim = aimOfClang(cxx, target))
        cxx.flags.push_back(*aim);
    return cxx;
  }
  return createStringError(std::make_error_code(std::errc::no_such_file_or_directory),
                           "no C++ compiler for " + target.name + ": looked for " + join(candidates, ", "));
}

} // namespace sinter
