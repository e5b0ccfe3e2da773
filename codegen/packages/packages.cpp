// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packages.h"

#include "codegen/package.h"
#include "codegen/text/fill_in.h"
#include "edited.h"
#include "support/embedded.h"
#include "triton.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace package_files {
extern const EmbeddedFile embedded[];
}

ArrayRef<PackageKind> packageKinds() {
  static constexpr PackageKind kinds[] = {
#define SINTER_PACKAGE(name, machines, example, usage) {name, machines, example, usage},
#include "packages.def"
#undef SINTER_PACKAGE
  };
  return kinds;
}

bool PackageKind::isFor(const Target &target) const {
  if (machines.empty() || target.portable)
    return true;
  return target.isMicrocontroller() && (machines == "board" || StringRef(target.triple).starts_with(machines));
}

std::string packageNames(StringRef between) {
  return join(map_range(packageKinds(), [](const PackageKind &kind) { return kind.name.str(); }), between);
}

std::optional<std::string> readPackageInfo(StringRef text, PackageInfo &info) {
  auto [key, value] = text.split('=');
  std::string *member = key == "version"         ? &info.version
                        : key == "author"        ? &info.author
                        : key == "url"           ? &info.url
                        : key == "instances"     ? &info.instances
                        : key == "model-version" ? &info.modelVersion
                        : key == "description"   ? &info.description
                                                 : nullptr;
  if (!member)
    return ("'" + key + "' is none of version, author, url, description, instances, model-version").str();
  unsigned instances = 1;
  if (key == "instances" && (value.getAsInteger(10, instances) || instances == 0 || instances > 1024))
    return ("instances '" + value + "' is not a number from 1 to 1024").str();
  int32_t number = 0;
  if (key == "model-version" && (value.getAsInteger(10, number) || number < 1 || value.starts_with("0")))
    return ("the model's version '" + value + "' is not a number from 1 on").str();
  SmallVector<StringRef> numbers;
  value.split(numbers, '.');
  if (key == "version" && (numbers.size() != 3 || llvm::any_of(numbers, [](StringRef number) {
                             return number.empty() || number.size() > 5 || !llvm::all_of(number, isDigit) ||
                                    (number.size() > 1 && number[0] == '0');
                           })))
    return ("the version '" + value + "' is not of three numbers, such as 1.2.0").str();
  if (value.empty() || value.size() > 200 || value.trim() != value ||
      !llvm::all_of(value, [](char c) { return isAlnum(c) || StringRef(" .,:/_+()~@-?=%").contains(c); }))
    return ("'" + key +
            "' is to have letters, digits and punctuation that all formats take: . , : / _ + ( ) ~ @ - ? = %")
        .str();
  StringRef address = value;
  if (key == "url" && ((!address.consume_front("https://") && !address.consume_front("http://")) || address.empty() ||
                       address.contains(' ')))
    return ("the url '" + value + "' is none that begins with https:// and has no spaces").str();
  *member = value.str();
  return std::nullopt;
}

namespace {
/// Letters and digits, with single underscores between them: what each registry takes for a name, of this length at
/// most.
std::string nameOf(StringRef prefix, size_t longest) {
  std::string name;
  for (char c : prefix)
    if (name.size() < longest && (c != '_' || (!name.empty() && name.back() != '_')))
      name += c;
  name.resize(StringRef(name).rtrim('_').size());
  return name.size() < 2 ? name + "net" : name;
}

std::string packageName(StringRef prefix) { return StringRef(nameOf(prefix, 60)).lower(); }

/// Of a CMSIS-Pack: 2 to 32 letters and digits.
std::string vendorOf(StringRef author) {
  std::string vendor;
  for (char c : author)
    if (isAlnum(c) && vendor.size() < 32)
      vendor += c;
  return vendor.size() < 2 ? vendor + "Vendor" : vendor;
}

/// Flags for a build that has its own for the machine, as those for boards have.
std::vector<std::string> packageFlags(const Target &target) {
  std::vector<std::string> flags = sourceFlags(target);
  if (target.isMicrocontroller())
    llvm::erase_if(flags, [own = target.compilerFlags()](const std::string &flag) { return is_contained(own, flag); });
  return flags;
}

/// `before` and `behind` around each, with `between` them.
std::string listed(ArrayRef<std::string> words, StringRef before, StringRef behind, StringRef between) {
  return join(map_range(words, [&](const std::string &word) { return (before + word + behind).str(); }), between);
}

std::string tensorRows(const Interface &interface) {
  Printer rows;
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors)
      rows.line("| ", tensors == &interface.inputs ? PrintedCode("input") : PrintedCode("output"), " | `",
                tensor.place(), "` | ", describeTensor(tensor), " |");
  return StringRef(rows.take()).rtrim('\n').str();
}

bool isSource(StringRef name) { return name.ends_with(".cpp"); }
bool isHeader(StringRef name) { return name.ends_with(".h") || name.ends_with(".hpp"); }
} // namespace

void makePackageFiles(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                      int64_t weightsBytes, std::vector<GeneratedFile> &files) {
  const auto *kind = llvm::find_if(packageKinds(), [&](const PackageKind &k) { return k.name == options.package; });
  assert(kind != packageKinds().end() && "the flag has been checked");
  std::vector<std::string> sources, components;
  bool isBuilt = kind->name == "triton"; // of the sources: they are no part of the package
  for (GeneratedFile &file : files) {
    if (isBuilt)
      break;
    bool isMoved = isSource(file.name) || isHeader(file.name) ||
                   (kind->name == "conan" && file.name == names.prefix.text().str() + ".cmake");
    if (!isMoved)
      continue;
    file.name = "src/" + file.name;
    if (isSource(file.name))
      sources.push_back(file.name);
    if (!StringRef(file.name).ends_with(".cmake"))
      components.push_back("        <file category=\"" + std::string(isSource(file.name) ? "sourceCpp" : "header") +
                           "\" name=\"" + file.name + "\"/>");
  }
  llvm::erase_if(files, [isBuilt](const GeneratedFile &file) { // the metadata says what these say
    StringRef ending = sys::path::extension(file.name);
    return !isBuilt && !StringRef(file.name).starts_with("src/") &&
           (ending == ".flags" || ending == ".cmake" || ending == ".libs" || ending == ".c");
  });

  const PackageInfo &info = options.packageInfo;
  std::vector<std::string> flags = packageFlags(options.target);
  ExampleParts example = exampleParts(interface, names, options);
  std::string flagText = join(options.target.compilerFlags(), " ");
  std::vector<std::pair<StringRef, std::string>> values = {
      {"prefix", names.prefix.text().str()},
      {"macro", names.macro.text().str()},
      {"component", nameOf(names.prefix.text(), 32)},
      {"name", packageName(names.prefix.text())},
      {"version", info.version},
      {"author", info.author},
      {"url", info.url.empty() ? "https://example.org/" + packageName(names.prefix.text()) : info.url},
      {"description", info.description.empty() ? "A neural net as C++" : info.description},
      {"vendor", vendorOf(info.author)},
      {"made", "Made by " + options.compiler + " for " + options.target.name + "."},
      {"board", options.target.name + (flagText.empty() ? "" : ", built with " + flagText)},
      {"arena", std::to_string(interface.arenaBytes)},
      {"weights", std::to_string(weightsBytes)},
      {"tensors", tensorRows(interface)},
      {"sources", listed(sources, "\"", "\"", " ")},
      {"sources-up", listed(sources, "../", "", " ")},
      {"files", join(components, "\n")},
      {"flags", join(flags, " ")},
      {"optimization", "-O" + options.optimization},
      {"flags-json", listed(flags, "\"", "\"", ", ")},
      {"libraries", listed(interface.libraries, "\"", "\"", ", ")},
      {"memory", example.memory},
      {"run", example.run},
      {"instances", info.instances}};
  llvm::append_range(values, servedValues(interface));
  values.push_back({"usage", fillIn(kind->usage, values)});
  auto fill = [&](StringRef text) {
    std::vector<std::pair<StringRef, std::string>> all = values;
    all.push_back({sumName, sumBelow(fillIn(text, values))});
    return fillIn(text, all);
  };
  std::string own = (kind->name + "/").str();
  for (const EmbeddedFile *file = package_files::embedded; file->name; ++file) {
    StringRef name = file->name;
    bool isCommon = name.starts_with("common/");
    if (isBuilt && name == "common/README.md") // it has one of its own
      continue;
    if (name == "common/main.c" && !kind->example.empty())
      files.push_back({kind->example.str(), fill(file->text)});
    else if (name.consume_front(own) || (name != "common/main.c" && name.consume_front("common/")))
      files.push_back(
          {(isBuilt && isCommon ? names.prefix.text().str() + "/" : "") + fillIn(name, values, '%'), fill(file->text)});
  }
}

} // namespace sinter
