// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/schema_reading.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace sinter {

SchemaReading readSchema(StringRef domain, StringRef name, std::optional<int64_t> opset) {
  if (!opset) {
    SchemaReading newest = readSchema(domain, name, INT64_MAX);
    newest.kind = SchemaReading::OpsetMissing;
    return newest;
  }
  const OperatorSchema *stated = findSchema(domain, name, *opset);
  if (stated && !stated->deprecated)
    return {stated, SchemaReading::AsStated};
  SmallVector<int64_t> versions = schemaVersions(domain, name);
  if (!stated)
    return {versions.empty() ? nullptr : findSchema(domain, name, versions.front()), SchemaReading::TooEarly};
  for (int64_t version : llvm::reverse(versions))
    if (version < stated->since)
      if (const OperatorSchema *before = findSchema(domain, name, version); !before->deprecated)
        return {before, SchemaReading::Withdrawn};
  return {stated, SchemaReading::Withdrawn};
}

std::string SchemaReading::describe(StringRef domain, std::optional<int64_t> opset) const {
  std::string name = schema ? qualifiedName(schema->domain, schema->name) : "";
  switch (kind) {
  case AsStated:
    return "";
  case OpsetMissing:
    return ("the model uses operators of domain '" + domainText(domain) + "' and imports no opset of it").str();
  case TooEarly:
    return ("operator " + name + " exists from opset " + Twine(schema ? schema->since : 0) +
            " on; the model asks for opset " + Twine(opset.value_or(0)))
        .str();
  case Withdrawn:
    return ("operator " + name + " is withdrawn by opset " + Twine(opset.value_or(0))).str();
  }
  return "";
}

} // namespace sinter
