// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// YAML to CustomOperator. Each text is checked where it is read, so that messages have its line.
#include "custom/read_operators.h"

#include "custom/check_text.h"
#include "support/given_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace sinter;

namespace {
/// Whose problems a text may have: those of the function, which takes the folder too.
using Check = std::string (*)(StringRef text, StringRef folder);
template <std::string (*problem)(StringRef)>
std::string withoutFolder(StringRef text, StringRef) {
  return problem(text);
}

/// What the reader is told beside the text.
struct Place {
  std::string folder, said;
  bool isGood = true; ///< no text was refused: what is read fits together or not
};

template <Check check>
struct Checked {
  std::string text;
  bool operator==(const Checked &other) const { return text == other.text; }
};
using Name = Checked<withoutFolder<problemOfName>>;
using Domain = Checked<withoutFolder<problemOfDomain>>;
using Function = Checked<withoutFolder<problemOfFunction>>;
using Element = Checked<withoutFolder<problemOfElement>>;
using Shape = Checked<withoutFolder<problemOfShape>>;
using MadeShape = Checked<withoutFolder<problemOfMadeShape>>;
using Bytes = Checked<withoutFolder<problemOfBytes>>;
using Conditions = Checked<withoutFolder<problemOfConditions>>;
using Kind = Checked<withoutFolder<problemOfKind>>;
using File = Checked<problemOfFile>;

template <class Text>
void required(yaml::IO &io, const char *key, std::string &into) {
  Text checked;
  io.mapRequired(key, checked);
  into = std::move(checked.text);
}
template <class Text>
void optional(yaml::IO &io, const char *key, std::string &into) {
  Text checked;
  io.mapOptional(key, checked);
  into = std::move(checked.text);
}

/// Shapes are written with blanks, the language of rules has none.
struct ReadInput : CustomParameter {};
struct ReadOutput : CustomParameter {};
struct Types {
  std::vector<CustomType> all;
};
struct Description {
  std::vector<CustomOperator> operators;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(Element)
LLVM_YAML_IS_SEQUENCE_VECTOR(File)
LLVM_YAML_IS_SEQUENCE_VECTOR(ReadInput)
LLVM_YAML_IS_SEQUENCE_VECTOR(ReadOutput)
LLVM_YAML_IS_SEQUENCE_VECTOR(CustomAttribute)
LLVM_YAML_IS_SEQUENCE_VECTOR(CustomOperator)

namespace llvm::yaml {
template <Check check>
struct ScalarTraits<Checked<check>> {
  static void output(const Checked<check> &checked, void *, raw_ostream &out) { out << checked.text; }
  static StringRef input(StringRef text, void *place, Checked<check> &checked) {
    auto &reader = *static_cast<Place *>(place);
    checked.text = text.str();
    reader.said = check(text, reader.folder);
    reader.isGood &= reader.said.empty();
    return reader.said;
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};
template <>
struct MappingTraits<ReadInput> {
  static void mapping(IO &io, ReadInput &input) {
    required<Name>(io, "name", input.name);
    required<Name>(io, "type", input.type);
    optional<Shape>(io, "shape", input.shape);
    io.mapOptional("optional", input.isOptional);
    input.shape = withoutBlanks(input.shape);
  }
};
template <>
struct MappingTraits<ReadOutput> {
  static void mapping(IO &io, ReadOutput &output) {
    required<Name>(io, "name", output.name);
    required<Name>(io, "type", output.type);
    required<MadeShape>(io, "shape", output.shape);
    output.shape = withoutBlanks(output.shape);
  }
};
template <>
struct MappingTraits<CustomAttribute> {
  template <class T>
  static void readDefault(IO &io, CustomAttribute &attribute, T &value) {
    std::optional<T> given;
    io.mapOptional("default", given);
    attribute.isRequired = !given;
    if (given)
      value = std::move(*given);
  }
  static void mapping(IO &io, CustomAttribute &attribute) {
    required<Name>(io, "name", attribute.name);
    std::string kind;
    required<Kind>(io, "type", kind);
    attribute.kind = kindNamed(kind).value_or(AttributeKind::Int);
    switch (attribute.kind) {
    case AttributeKind::Float:
      return readDefault(io, attribute, attribute.real);
    case AttributeKind::String:
      return readDefault(io, attribute, attribute.text);
    case AttributeKind::Ints:
      return readDefault(io, attribute, attribute.integers);
    case AttributeKind::Floats:
      return readDefault(io, attribute, attribute.reals);
    default:
      return readDefault(io, attribute, attribute.integer);
    }
  }
};
template <>
struct CustomMappingTraits<Types> {
  static void inputOne(IO &io, StringRef key, Types &types) {
    if (std::string problem = problemOfName(key); !problem.empty())
      io.setError(problem);
    std::vector<Element> elements;
    io.mapRequired(key.str().c_str(), elements);
    CustomType &type = types.all.emplace_back();
    type.name = key.str();
    for (Element &element : elements)
      type.elements.push_back(std::move(element.text));
    if (type.elements.empty())
      io.setError("'" + key + "' is a list of element types");
  }
  static void output(IO &, Types &) {}
};
template <>
struct MappingTraits<CustomOperator> {
  static void mapping(IO &io, CustomOperator &custom) {
    required<Domain>(io, "domain", custom.domain);
    required<Name>(io, "name", custom.name);
    io.mapOptional("since", custom.since);
    Types types;
    io.mapOptional("types", types);
    custom.types = std::move(types.all);
    std::vector<ReadInput> inputs;
    std::vector<ReadOutput> outputs;
    io.mapOptional("inputs", inputs);
    io.mapRequired("outputs", outputs);
    custom.inputs.assign(inputs.begin(), inputs.end());
    custom.outputs.assign(outputs.begin(), outputs.end());
    io.mapOptional("attributes", custom.attributes);
    optional<Conditions>(io, "fits", custom.fits);
    optional<Bytes>(io, "scratch", custom.scratch);
    custom.scratch = withoutBlanks(custom.scratch);
    required<File>(io, "header", custom.header);
    std::vector<File> files;
    io.mapOptional("files", files);
    for (File &file : files)
      custom.files.push_back(std::move(file.text));
    required<Function>(io, "function", custom.function);
    io.mapOptional("returns_status", custom.returnsStatus);
    optional<File>(io, "reference", custom.reference);
    io.mapOptional("onnxruntime", custom.library);
  }
  static std::string validate(IO &io, CustomOperator &custom) {
    bool isRead = static_cast<Place *>(io.getContext())->isGood && !static_cast<Input &>(io).error();
    return isRead ? problemOf(custom) : "";
  }
};
template <>
struct MappingTraits<Description> {
  static void mapping(IO &io, Description &description) { io.mapRequired("operators", description.operators); }
};
} // namespace llvm::yaml

namespace sinter {

Expected<std::vector<CustomOperator>> readCustomOperators(StringRef text, StringRef name, StringRef folder) {
  std::string problem;
  auto keep = [](const SMDiagnostic &diagnostic, void *into) {
    auto &said = *static_cast<std::string *>(into);
    if (said.empty())
      said = ("line " + Twine(diagnostic.getLineNo()) + ": " + diagnostic.getMessage()).str();
  };
  Place place{folder.str(), "", true};
  Description description;
  yaml::Input input(text, &place, keep, &problem);
  input >> description;
  if (input.error() && problem.empty())
    problem = "no description of custom operators";
  if (problem.empty() && description.operators.empty())
    problem = "there is no operator in it";
  if (!problem.empty())
    return createStringError(inconvertibleErrorCode(), name + ": " + problem);
  for (CustomOperator &custom : description.operators) {
    custom.folder = folder.str();
    for (std::string *path : {&custom.reference, &custom.library})
      if (!path->empty() && !sys::path::is_absolute(*path))
        *path = (folder + "/" + *path).str();
  }
  return std::move(description.operators);
}

Expected<std::vector<CustomOperator>> readCustomOperators(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file)
    return file.takeError();
  StringRef folder = sys::path::parent_path(path);
  return readCustomOperators((*file)->getBuffer().str(), path, folder.empty() ? "." : folder);
}

} // namespace sinter
