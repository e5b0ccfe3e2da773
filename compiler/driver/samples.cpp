// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding the files of samples, and holding each against the input that it is for.
#include "driver/samples.h"

#include "driver/inputs.h"
#include "driver/quantized_array.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {

/// Names in order, runs of digits by their value: x2.npy comes before x10.npy.
bool comesBefore(StringRef a, StringRef b) {
  while (!a.empty() && !b.empty()) {
    StringRef digitsA = a.take_while(isDigit), digitsB = b.take_while(isDigit);
    if (!digitsA.empty() && !digitsB.empty()) {
      StringRef valueA = digitsA.ltrim('0'), valueB = digitsB.ltrim('0');
      if (valueA != valueB)
        return valueA.size() != valueB.size() ? valueA.size() < valueB.size() : valueA < valueB;
      a = a.drop_front(digitsA.size());
      b = b.drop_front(digitsB.size());
    } else if (a[0] != b[0]) {
      return a[0] < b[0];
    } else {
      a = a.drop_front();
      b = b.drop_front();
    }
  }
  return a.size() < b.size();
}

struct Listing {
  std::vector<std::string> files, folders; ///< paths, in order
};

Listing list(StringRef folder) {
  Listing listing;
  std::error_code code;
  for (sys::fs::directory_iterator entry(folder, code), end; entry != end && !code; entry.increment(code)) {
    if (sys::path::filename(entry->path()).starts_with("."))
      continue;
    (sys::fs::is_directory(entry->path()) ? listing.folders : listing.files).push_back(entry->path());
  }
  llvm::sort(listing.files, comesBefore);
  llvm::sort(listing.folders, comesBefore);
  return listing;
}

class SampleReader {
public:
  SampleReader(const ModelInfo &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}

  /// The arrays of a file: one, or a row each where the file has one dim more or a longer first one.
  std::vector<HostArray> read(const std::string &path, size_t input) {
    const TensorInfo &tensor = model.inputs[input];
    std::string problem;
    if (StringRef(path).ends_with(".npz")) {
      report(path + " is an archive of arrays", "save each array as an .npy file of its own");
      return {};
    }
    std::optional<HostArray> array = readTensor(path, tensor, tensor.dims, problem);
    if (!array) {
      report(problem, "input '" + tensor.name + "' is " + describe(tensor.type, tensor.dims));
      return {};
    }
    array->name = tensor.name;
    std::string held = describe(array->type, array->dims);
    std::vector<HostArray> rows = rowsOf(quantized(std::move(*array), tensor), tensor);
    if (rows.empty())
      report(path + " holds " + held + "; input '" + tensor.name + "' is " + describe(tensor.type, tensor.dims),
             "a sample has the input's shape; several may lie one behind the other along the first dim");
    return rows;
  }

  void add(Sample sample, const std::string &where) {
    if (Error error = checkInputs(model, sample)) {
      report(where + ": " + toString(std::move(error)), "");
    } else {
      samples.push_back(std::move(sample));
      names.push_back(where);
    }
  }
  void report(const std::string &message, const std::string &hint) {
    diagnostics.report({Code::InvalidSamples, message, {}, hint});
  }

  std::vector<Sample> samples;
  std::vector<std::string> names;

private:
  static bool fits(ArrayRef<int64_t> dims, const TensorInfo &tensor, const ModelInfo &model) {
    if (dims.size() != tensor.dims.size())
      return false;
    for (size_t d = 0; d < dims.size(); ++d) {
      int64_t symbol = tensor.symbols[d];
      int64_t least = symbol < 0 ? tensor.dims[d] : model.dims[static_cast<size_t>(symbol)].min;
      if (dims[d] < least || dims[d] > tensor.dims[d])
        return false;
    }
    return true;
  }
  std::vector<HostArray> rowsOf(const HostArray &array, const TensorInfo &tensor) {
    if (fits(array.dims, tensor, model))
      return {array};
    std::vector<int64_t> row = array.dims;
    size_t bits = bitWidth(tensor.type);
    if (row.empty() || row[0] == 0 || bits % 8 != 0 || tensor.type == ElementType::String)
      return {};
    int64_t count = row[0];
    row[0] = 1;
    std::vector<int64_t> inner(row.begin() + 1, row.end());
    if (!fits(row, tensor, model)) {
      std::vector<int64_t> batched = array.dims; // [8, 8] for [1, 8, 8]
      batched.insert(batched.begin(), 1);
      if (fits(batched, tensor, model)) {
        row = batched;
        count = 1;
      } else if (fits(inner, tensor, model)) {
        row = inner;
      } else {
        return {};
      }
    }
    std::vector<HostArray> rows;
    size_t bytes = array.bytes.size() / static_cast<size_t>(count);
    for (int64_t i = 0; i < count; ++i) {
      HostArray one = array;
      one.dims = row;
      one.bytes = array.bytes.substr(static_cast<size_t>(i) * bytes, bytes);
      rows.push_back(std::move(one));
    }
    return rows;
  }

  const ModelInfo &model;
  Diagnostics &diagnostics;
};

/// The folder (or file) among `paths` that is called as an input is; none.
const std::string *named(ArrayRef<std::string> paths, StringRef input) {
  for (const std::string &path : paths)
    if (sys::path::filename(path) == fileStemOf(input) || sys::path::stem(path) == fileStemOf(input))
      return &path;
  return nullptr;
}

void readFolderPerInput(SampleReader &reader, ArrayRef<std::string> folders, const ModelInfo &model) {
  std::vector<std::vector<HostArray>> arrays;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string *folder = named(folders, model.inputs[i].name);
    arrays.emplace_back();
    for (const std::string &file : list(*folder).files)
      for (HostArray &array : reader.read(file, i))
        arrays.back().push_back(std::move(array));
    if (arrays.back().size() != arrays.front().size()) {
      reader.report(*folder + " has " + std::to_string(arrays.back().size()) + " samples of input '" +
                        model.inputs[i].name + "'; there are " + std::to_string(arrays.front().size()) + " of input '" +
                        model.inputs[0].name + "'",
                    "each input needs as many");
      return;
    }
  }
  for (size_t s = 0; s < arrays.front().size(); ++s) {
    Sample sample;
    for (std::vector<HostArray> &ofInput : arrays)
      sample.push_back(std::move(ofInput[s]));
    reader.add(std::move(sample), "sample " + std::to_string(s));
  }
}

void readFolderPerSample(SampleReader &reader, StringRef folder, const ModelInfo &model) {
  std::vector<std::string> files = list(folder).files;
  if (files.size() != model.inputs.size()) {
    reader.report(folder.str() + " has " + std::to_string(files.size()) + " files; the model has " +
                      std::to_string(model.inputs.size()) + " inputs",
                  "a folder per sample holds one file per input, called as the input is");
    return;
  }
  Sample sample;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string *file = named(files, model.inputs[i].name);
    std::vector<HostArray> arrays = reader.read(file ? *file : files[i], i);
    if (arrays.size() != 1)
      return;
    sample.push_back(std::move(arrays.front()));
  }
  reader.add(std::move(sample), folder.str());
}
} // namespace

std::string fileStemOf(StringRef inputName) {
  std::string stem;
  for (char c : inputName)
    stem += isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  return stem;
}

std::vector<Sample> readSamples(StringRef folder, const ModelInfo &model, Diagnostics &diagnostics,
                                std::vector<std::string> *names) {
  SampleReader reader(model, diagnostics);
  size_t problems = diagnostics.all().size();
  Listing listing = list(folder);
  bool perInput = llvm::all_of(model.inputs,
                               [&](const TensorInfo &input) { return named(listing.folders, input.name) != nullptr; });
  if (std::vector<std::string> sets = dataSetsIn(folder); !sets.empty()) {
    for (const std::string &set : sets) {
      Expected<std::vector<HostArray>> inputs = readDataSet(set, "input", model.inputs);
      if (inputs)
        reader.add(std::move(*inputs), set);
      else
        reader.report(toString(inputs.takeError()), "");
    }
  } else if (!listing.files.empty() && model.inputs.size() == 1) {
    for (const std::string &file : listing.files) {
      std::vector<HostArray> rows = reader.read(file, 0);
      for (auto [i, row] : enumerate(rows))
        reader.add({std::move(row)}, rows.size() == 1 ? file : file + "[" + std::to_string(i) + "]");
    }
  } else if (perInput && !listing.folders.empty()) {
    readFolderPerInput(reader, listing.folders, model);
  } else {
    for (const std::string &sample : listing.folders)
      readFolderPerSample(reader, sample, model);
  }
  if (reader.samples.empty() && diagnostics.all().size() == problems)
    reader.report(
        folder.str() + " has no samples" +
            (listing.files.empty() ? "" : "; the model has " + std::to_string(model.inputs.size()) + " inputs"),
        "each sample is a file per input: .npy, .pb, or raw bytes; with several inputs, in a folder per input "
        "or per sample");
  if (diagnostics.all().size() != problems)
    return {};
  if (names)
    *names = std::move(reader.names);
  return std::move(reader.samples);
}

} // namespace sinter
