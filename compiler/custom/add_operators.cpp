// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "custom/add_operators.h"

#include "custom/lower_custom.h"
#include "ops/lowering.h"

#include "onnx-ml.pb.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {
std::vector<const CustomOperator *> &known() {
  static std::vector<const CustomOperator *> operators;
  return operators;
}

/// Texts that schemas refer to.
StringRef kept(std::string text) {
  static std::vector<std::unique_ptr<std::string>> texts;
  return *texts.emplace_back(std::make_unique<std::string>(std::move(text)));
}

std::string typeStrings(ArrayRef<std::string> elements) {
  std::string text;
  for (const std::string &element : elements)
    text += (text.empty() ? "tensor(" : " tensor(") + element + ")";
  return text;
}

/// The default as ONNX has it; empty where there is none.
std::string defaultOf(const CustomAttribute &attribute) {
  if (attribute.isRequired)
    return "";
  onnx::AttributeProto proto;
  proto.set_name(attribute.name);
  proto.set_type(static_cast<onnx::AttributeProto::AttributeType>(attribute.kind));
  proto.set_i(attribute.integer);
  proto.set_f(static_cast<float>(attribute.real));
  proto.set_s(attribute.text);
  for (int64_t number : attribute.integers)
    proto.add_ints(number);
  for (double number : attribute.reals)
    proto.add_floats(static_cast<float>(number));
  return proto.SerializeAsString();
}

OperatorSchema schemaOf(const CustomOperator &custom) {
  OperatorSchema schema;
  schema.domain = custom.domain;
  schema.name = custom.name;
  schema.since = custom.since;
  schema.deprecated = schema.contextualBody = false;
  auto add = [&](auto &parameters, const CustomParameter &parameter) {
    bool isSet = custom.findType(parameter.type);
    parameters.push_back({parameter.name, isSet ? StringRef(parameter.type) : kept(typeStrings(parameter.type)),
                          parameter.isOptional ? SchemaParameter::Optional : SchemaParameter::Single, true});
  };
  schema.minInputs = 0;
  for (auto [i, input] : enumerate(custom.inputs)) {
    add(schema.inputs, input);
    if (!input.isOptional)
      schema.minInputs = static_cast<uint32_t>(i + 1);
  }
  for (const CustomParameter &output : custom.outputs)
    add(schema.outputs, output);
  schema.maxInputs = static_cast<uint32_t>(custom.inputs.size());
  schema.minOutputs = 1; // those behind may be left out, as nobody reads them
  schema.maxOutputs = static_cast<uint32_t>(custom.outputs.size());
  for (const CustomType &type : custom.types)
    schema.constraints.push_back({type.name, kept(typeStrings(type.elements))});
  for (const CustomAttribute &attribute : custom.attributes)
    schema.attributes.push_back({attribute.name, attribute.kind, attribute.isRequired, kept(defaultOf(attribute))});
  return schema;
}

std::string nameOf(const CustomOperator &custom) { return qualifiedName(custom.domain, custom.name); }
} // namespace

const std::vector<const CustomOperator *> &customOperators() { return known(); }

Error addCustomOperator(CustomOperator custom) {
  auto failure = [&](const Twine &what) {
    return createStringError(inconvertibleErrorCode(), nameOf(custom) + ": " + what);
  };
  for (const CustomOperator *other : known()) {
    if (nameOf(*other) == nameOf(custom) && other->since == custom.since)
      return failure("described twice since version " + Twine(custom.since));
    for (const std::string &path : custom.paths())
      for (const std::string &theirs : other->paths())
        if (sys::path::filename(path) == sys::path::filename(theirs) && !sys::fs::equivalent(path, theirs))
          return failure("two files are called " + sys::path::filename(path) + ", and lie in one folder of the output");
  }
  known().push_back(new CustomOperator(std::move(custom))); // as long as the program
  const CustomOperator &added = *known().back();
  addSchema(schemaOf(added));
  addOperator(added.domain, added.name, added.since, added.rule(), [&added](Op &op) { return lowerCustom(added, op); });
  return Error::success();
}

} // namespace sinter
