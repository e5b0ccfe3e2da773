// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answer is put together here until the verb has ended.
#include "driver/answer.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
struct Answer {
  bool isWanted = false, isGiven = false;
  json::Object members;
  json::Array problems, notes;
};

Answer &current() {
  static Answer answer;
  return answer;
}

/// JSON's strings may be references; the answer is printed when what they refer to is gone.
json::Value owned(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (const json::Array *array = value.getAsArray()) {
    json::Array all;
    for (const json::Value &element : *array)
      all.push_back(owned(element));
    return all;
  }
  const json::Object *object = value.getAsObject();
  if (!object)
    return value;
  json::Object members;
  for (const auto &[key, member] : *object)
    members[key.str()] = owned(member);
  return members;
}

json::Object jsonOfProblem(const Problem &problem) {
  json::Object object{{"code", codeNumber(problem.code)}, {"message", utf8(problem.message)}};
  if (!problem.place.node.empty())
    object["node"] = utf8(problem.place.node);
  if (!problem.place.operatorName.empty())
    object["operator"] = utf8(problem.place.operatorName);
  if (!problem.hint.empty())
    object["hint"] = utf8(problem.hint);
  return object;
}
} // namespace

std::string utf8(StringRef foreign) { return json::isUTF8(foreign) ? foreign.str() : json::fixUTF8(foreign); }

std::optional<std::string> JsonFlag::set(StringRef text) {
  current().isWanted = text != "false";
  return Flag<bool>::set(text);
}

void answer(json::Object members) {
  current().isGiven = true;
  for (const auto &[key, value] : members)
    current().members[key.str()] = owned(value);
}

void tell(const Diagnostics &diagnostics, StringRef model) {
  outs().flush();
  diagnostics.print(errs(), model);
  for (const std::string &note : diagnostics.allNotes())
    current().notes.push_back(utf8(note));
  for (const Problem &problem : diagnostics.all())
    current().problems.push_back(jsonOfProblem(problem));
}

void keepProblem(StringRef message, StringRef hint) {
  json::Object object{{"message", utf8(message)}};
  if (!hint.empty())
    object["hint"] = utf8(hint);
  current().problems.push_back(std::move(object));
}

void printAnswer(StringRef verb, int status) {
  Answer &answer = current();
  if (!answer.isWanted || (!answer.isGiven && status == ExitOk)) // help is no answer
    return;
  json::Object root = std::move(answer.members);
  root["version"] = 1;
  root["verb"] = verb;
  root["status"] = status;
  root["problems"] = std::move(answer.problems);
  root["notes"] = std::move(answer.notes);
  outs() << formatv("{0:1}\n", json::Value(std::move(root)));
}

} // namespace sinter
