// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/json_schema.h"
#include "grammar/automaton.h"
#include "grammar/json_pointer.h"
#include "grammar/json_values.h"
#include "grammar/regex.h"
#include "support/bounded_json.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinter::grammar {

namespace json = llvm::json;

namespace {

/// What says nothing about validity, and what only others refer to.
const char *const kNoted[] = {"$schema",  "$id",   "$comment",    "title",      "description", "default",
                              "examples", "$defs", "definitions", "deprecated", "readOnly",    "writeOnly"};
/// Which keywords belong to which type.
struct Keyword {
  const char *name, *type, *kind; ///< kind: what its value is
};
const char *const kWholeNumber = "a whole number from 0", *const kSchema = "a schema";
const Keyword kKeywords[] = {{"properties", "object", "an object of schemas"},
                             {"required", "object", "a list of names"},
                             {"additionalProperties", "object", kSchema},
                             {"items", "array", kSchema},
                             {"minItems", "array", kWholeNumber},
                             {"maxItems", "array", kWholeNumber},
                             {"minLength", "string", kWholeNumber},
                             {"maxLength", "string", kWholeNumber},
                             {"pattern", "string", "a text"}};
bool isOfKind(const json::Value &value, llvm::StringRef kind) {
  if (kind == kWholeNumber)
    return value.getAsInteger().value_or(-1) >= 0;
  if (kind == kSchema)
    return value.getAsObject() || value.getAsBoolean();
  const json::Array *list = value.getAsArray();
  return kind == "a text"            ? value.getAsString().has_value()
         : kind == "a list of names" ? list && llvm::all_of(*list, [](auto &name) { return name.getAsString(); })
                                     : value.getAsObject() != nullptr;
}
constexpr size_t kMaxSchemas = 20000; // that are looked at, those that $ref repeats included

std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}
/// Whether no number in it is infinite.
bool hasFiniteNumbers(const json::Value &value) {
  if (const json::Array *list = value.getAsArray())
    return llvm::all_of(*list, hasFiniteNumbers);
  if (const json::Object *object = value.getAsObject())
    return llvm::all_of(*object, [](const auto &entry) { return hasFiniteNumbers(entry.second); });
  return std::isfinite(value.getAsNumber().value_or(0));
}
bool isOfType(const json::Value &value, llvm::StringRef type) {
  if (type == "integer")
    return value.getAsInteger().has_value();
  return type == "object"    ? value.kind() == json::Value::Object
         : type == "array"   ? value.kind() == json::Value::Array
         : type == "string"  ? value.kind() == json::Value::String
         : type == "number"  ? value.kind() == json::Value::Number
         : type == "boolean" ? value.kind() == json::Value::Boolean
                             : type == "null" && value.kind() == json::Value::Null;
}

class SchemaReader {
public:
  SchemaReader(const json::Value &root, Diagnostics &diagnostics) : root(root), diagnostics(diagnostics) {}

  std::optional<std::vector<Pattern>> rules() {
    ruleOf("#");
    for (size_t rule = 0; rule < names.size() && !hasFailed; ++rule) {
      const std::string name = names[rule];
      open = {name};
      patterns.push_back(name == "any" ? jsonAny(int(rule)) : schema(*atPointer(root, name), name, 0));
    }
    return hasFailed ? std::nullopt : std::optional(patterns);
  }

private:
  Pattern fail(Code code, const std::string &where, const std::string &what, const char *hint) {
    if (!hasFailed)
      diagnostics.report({code, "the schema at " + where + ": " + what, {}, hint});
    hasFailed = true;
    return sequence({});
  }
  /// What schemas have at their leaves is counted, as $ref makes copies of it.
  Pattern leaf(Pattern made, const std::string &where) {
    leaves += made->size;
    if (made->kind == PatternNode::TooLarge || leaves > 4 * kMaxPatternSize)
      return fail(Code::GrammarTooLarge, where, "texts, numbers and patterns make too many parts",
                  "leave out what text does not need");
    return made;
  }
  int ruleOf(const std::string &name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      names.push_back(name);
    return int(std::find(names.begin(), names.end(), name) - names.begin());
  }

  Pattern schema(const json::Value &value, const std::string &where, size_t depth) {
    if (++looked > kMaxSchemas || depth > kMaxDepth)
      return fail(Code::GrammarTooLarge, where, "too many parts, or nested too deep",
                  "what is recursive needs no copies: use $ref");
    if (hasFailed)
      return sequence({});
    if (const auto isAny = value.getAsBoolean(); isAny && *isAny)
      return call(ruleOf("any"));
    const json::Object *object = value.getAsObject();
    if (!object)
      return fail(Code::GrammarInvalid, where, "a schema is an object or true", "false allows nothing");
    if (const json::Value *ref = object->get("$ref"))
      return reference(*object, *ref, where, depth);
    if (const json::Value *any = object->get("anyOf"))
      return alternatives(*object, *any, where, depth);
    if (object->get("enum") || object->get("const"))
      return constants(*object, where);
    return typed(*object, where, depth);
  }
  /// Only these keywords, and those that say nothing.
  bool hasOnly(const json::Object &object, llvm::ArrayRef<llvm::StringRef> known, const std::string &where) {
    std::vector<llvm::StringRef> keys;
    for (const auto &entry : object)
      keys.push_back(entry.first);
    std::sort(keys.begin(), keys.end());
    for (const llvm::StringRef key : keys)
      if (!llvm::is_contained(known, key) && !llvm::is_contained(kNoted, key)) {
        fail(Code::GrammarUnsupported, where, "the keyword " + key.str() + " is not supported here",
             "docs/text-generation.md lists the keywords");
        return false;
      }
    return true;
  }
  Pattern reference(const json::Object &object, const json::Value &ref, const std::string &where, size_t depth) {
    const std::optional<llvm::StringRef> text = ref.getAsString();
    const json::Value *to = text ? atPointer(root, *text) : nullptr;
    if (!hasOnly(object, {"$ref"}, where))
      return sequence({});
    if (!to)
      return fail(Code::GrammarInvalid, where, "$ref refers to nothing in this file",
                  "it has the form #/$defs/name; / and ~ in a name are ~1 and ~0");
    const std::string name = text->str();
    if (llvm::is_contained(open, name)) // within itself: by the stack
      return call(ruleOf(name));
    open.push_back(name);
    Pattern inside = schema(*to, name, depth + 1);
    open.pop_back();
    return inside;
  }
  Pattern alternatives(const json::Object &object, const json::Value &list, const std::string &where, size_t depth) {
    const json::Array *schemas = list.getAsArray();
    if (!hasOnly(object, {"anyOf"}, where))
      return sequence({});
    if (!schemas || schemas->empty())
      return fail(Code::GrammarInvalid, where, "anyOf is no list of schemas",
                  "write [ ] around them; an empty list allows nothing");
    std::vector<Pattern> parts;
    for (size_t i = 0; i < schemas->size(); ++i)
      parts.push_back(schema((*schemas)[i], where + "/anyOf/" + std::to_string(i), depth + 1));
    return choice(std::move(parts));
  }
  /// The types that are asked for; empty: any.
  std::vector<std::string> typesOf(const json::Object &object, const std::string &where) {
    std::vector<std::string> types;
    const json::Value *type = object.get("type");
    if (!type)
      return types;
    if (const json::Array *some = type->getAsArray(); some && some->empty())
      fail(Code::GrammarInvalid, where, "type is an empty list", "leave it out, and any type is allowed");
    json::Array one{*type};
    const json::Array *list = type->getAsArray() ? type->getAsArray() : &one;
    for (const json::Value &entry : *list) {
      const llvm::StringRef name = entry.getAsString().value_or("");
      if (!llvm::is_contained({"object", "array", "string", "number", "integer", "boolean", "null"}, name))
        fail(Code::GrammarInvalid, where, "no such type",
             "types are object, array, string, number, integer, boolean, null");
      if (!llvm::is_contained(types, name))
        types.push_back(name.str());
    }
    return types;
  }
  Pattern constants(const json::Object &object, const std::string &where) {
    if (!hasOnly(object, {"enum", "const", "type"}, where))
      return sequence({});
    const std::vector<std::string> types = typesOf(object, where);
    const json::Value *one = object.get("const"), *some = object.get("enum");
    if (some && !some->getAsArray())
      return fail(Code::GrammarInvalid, where, "enum is no list", "write [ ] around its values");
    std::vector<Pattern> parts;
    const auto add = [&](const json::Value &value) {
      bool fits = types.empty();
      for (const std::string &type : types)
        fits = fits || isOfType(value, type);
      if (fits && !hasFiniteNumbers(value))
        fail(Code::GrammarInvalid, where, "a number beyond what 64 bits of floating point hold", "1.8e308 is the end");
      else if (fits)
        parts.push_back(literal(textOf(value)));
    };
    if (one && (!some || llvm::is_contained(*some->getAsArray(), *one)))
      add(*one);
    else if (!one)
      for (const json::Value &value : *some->getAsArray())
        add(value);
    return leaf(choice(std::move(parts)), where); // of nothing: no text, which is found later
  }

  /// What a keyword of another kind would ask for is not known: to pass it over would allow more than is meant.
  bool haveKinds(const json::Object &object, const std::string &where) {
    for (const Keyword &keyword : kKeywords)
      if (const json::Value *value = object.get(keyword.name); value && !isOfKind(*value, keyword.kind)) {
        const std::string hint = std::string(keyword.name) + " is " + keyword.kind;
        fail(Code::GrammarInvalid, where, std::string(keyword.name) + " has a value of another kind", hint.c_str());
        return false;
      }
    return !hasFailed;
  }
  Pattern typed(const json::Object &object, const std::string &where, size_t depth) {
    std::vector<std::string> types = typesOf(object, where);
    std::vector<llvm::StringRef> known = {"type"};
    for (const Keyword &keyword : kKeywords) {
      if (types.empty() && object.get(keyword.name))
        types = {keyword.type};
      if (llvm::is_contained(types, keyword.type))
        known.push_back(keyword.name);
    }
    if (!hasOnly(object, known, where) || !haveKinds(object, where))
      return sequence({});
    if (types.empty())
      return call(ruleOf("any"));
    std::vector<Pattern> parts;
    for (const std::string &type : types)
      parts.push_back(ofType(type, object, where, depth));
    return choice(std::move(parts));
  }
  Pattern ofType(llvm::StringRef type, const json::Object &object, const std::string &where, size_t depth) {
    if (type == "object")
      return objectOf(object, where, depth);
    if (type == "array") {
      const auto [min, max] = bounds(object, "minItems", "maxItems", where);
      const json::Value *items = object.get("items");
      return jsonList("[", "]", items ? schema(*items, where + "/items", depth + 1) : call(ruleOf("any")), min, max);
    }
    return leaf(type == "string"    ? stringOf(object, where)
                : type == "number"  ? jsonNumber()
                : type == "integer" ? jsonInteger()
                : type == "null"    ? literal("null")
                                    : choice({literal("true"), literal("false")}),
                where);
  }
  std::pair<int, int> bounds(const json::Object &object, const char *least, const char *most,
                             const std::string &where) {
    int found[2] = {0, -1};
    for (const int i : {0, 1})
      if (const json::Value *value = object.get(i ? most : least)) {
        const int64_t n = value->getAsInteger().value_or(0);
        if (n > kMaxRepeats)
          fail(Code::GrammarTooLarge, where, std::string(i ? most : least) + " is above 2000", "leave it out");
        else
          found[i] = int(n);
      }
    if (found[1] >= 0 && found[1] < found[0])
      fail(Code::GrammarInvalid, where, std::string(most) + " is below " + least, "no value has both");
    return {found[0], found[1]};
  }
  Pattern stringOf(const json::Object &object, const std::string &where) {
    const auto [min, max] = bounds(object, "minLength", "maxLength", where);
    const json::Value *pattern = object.get("pattern");
    if (!pattern)
      return jsonString(repeat(jsonCharacter(), min, max));
    if (min > 0 || max >= 0)
      return fail(Code::GrammarUnsupported, where, "a pattern together with a length",
                  "state the length in the pattern");
    const std::optional<Pattern> parsed =
        parseRegex(pattern->getAsString().value_or(""), RegexFor::JsonString, diagnostics);
    hasFailed |= !parsed;
    return parsed ? jsonString(*parsed) : sequence({});
  }

  struct Member {
    Pattern pattern;
    bool isRequired;
  };
  Pattern objectOf(const json::Object &object, const std::string &where, size_t depth) {
    const json::Object *properties = object.getObject("properties");
    const json::Array *required = object.getArray("required");
    const json::Value *others = object.get("additionalProperties");
    const Pattern key = jsonString(repeat(jsonCharacter(), 0, -1));
    if (!properties || properties->empty()) {
      if (required && !required->empty())
        return fail(Code::GrammarUnsupported, where, "required properties that are not stated",
                    "state them under properties");
      if (others && others->getAsBoolean() == std::optional(false))
        return literal("{}");
      const Pattern value = others ? schema(*others, where + "/additionalProperties", depth + 1) : call(ruleOf("any"));
      return jsonList("{", "}", leaf(sequence({key, jsonColon(), value}), where), 0, -1);
    }
    std::vector<std::string> order;
    llvm::StringSet<> known;
    for (const json::Value &name : required ? *required : json::Array()) {
      const std::string text = name.getAsString().value_or("").str();
      if (!properties->get(text))
        return fail(Code::GrammarUnsupported, where, "a required property that is not stated",
                    "state it under properties");
      if (known.insert(text).second)
        order.push_back(text);
    }
    const size_t requiredCount = order.size();
    for (const auto &entry : *properties)
      if (known.insert(entry.first).second)
        order.push_back(entry.first.str());
    std::sort(order.begin() + ptrdiff_t(requiredCount), order.end());
    std::vector<Member> members;
    for (size_t i = 0; i < order.size(); ++i) {
      const Pattern value = schema(*properties->get(order[i]), where + "/properties/" + order[i], depth + 1);
      members.push_back({sequence({leaf(literal(textOf(order[i])), where), jsonColon(), value}), i < requiredCount});
    }
    return sequence({literal("{"), membersFrom(members), literal("}")});
  }
  /// With commas between those that are there. Where none is required, each may be the first.
  static Pattern membersFrom(const std::vector<Member> &members) {
    std::vector<Pattern> from(members.size()); // from each of them on; what is behind it is shared
    Pattern behind = sequence({});
    for (size_t i = members.size(); i-- > 0;) {
      from[i] = sequence({members[i].pattern, behind});
      const Pattern more = sequence({jsonComma(), members[i].pattern});
      behind = sequence({members[i].isRequired ? more : optional(more), behind});
    }
    return members[0].isRequired ? from[0] : optional(choice(std::move(from)));
  }

  const json::Value &root;
  Diagnostics &diagnostics;
  std::vector<std::string> names, open; ///< rules; references that are being read
  std::vector<Pattern> patterns;
  size_t looked = 0, leaves = 0;
  bool hasFailed = false;
};

} // namespace

std::optional<std::vector<Pattern>> rulesOfSchema(std::string_view schema, Diagnostics &diagnostics) {
  const llvm::StringRef text(schema.data(), schema.size());
  JsonLimits limits;
  limits.depth = 4 * kMaxDepth;
  if (!beyondJsonLimits(text, limits).empty()) {
    diagnostics.report({Code::GrammarTooLarge, "the schema is nested too deep", {}, "use $ref for what is recursive"});
    return std::nullopt;
  }
  llvm::Expected<json::Value> root = parseJson(text);
  if (!root) {
    diagnostics.report({Code::GrammarInvalid,
                        "the schema is no JSON: " + llvm::toString(root.takeError()),
                        {},
                        "is it a file of JSON?"});
    return std::nullopt;
  }
  return SchemaReader(*root, diagnostics).rules();
}

} // namespace sinter::grammar
