// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs for a model's program: from files, from a recorded data set, or made up.
#pragma once

#include "driver/flags.h"
#include "driver/input_sizes.h"

namespace sinter {

/// Flags by which run, verify and bench are given inputs.
struct InputFlags {
  FlagList files{FlagTrait::Positional, Takes("INPUT")};
  std::vector<std::string> named; ///< NAME=FILE, those of CompileFlags::inputFiles()
  FlagList sizes{FlagGroup::Inputs, "size",
                 Says("a symbolic dim's value for raw and random inputs, a number or a sum of others (default: what "
                      "its name says, 'past + now', else its upper bound; of a state that grows, its lower one)"),
                 Takes("NAME=N")};
  Flag<uint64_t> random{FlagGroup::Inputs, "random", Says("make up inputs that are not given, from this seed"),
                        Takes("SEED")};
  Flag<std::string> randomRange{
      FlagGroup::Inputs, "random-range",
      Says("what made-up numbers lie between (default: -1 and 1, small integers from 0 on, any bytes)"),
      Takes("0..255")};

  /// Inputs in the model's order; the message says which is missing. `set` makes random ones differ from call to call;
  /// `makeUp` allows them without --random.
  llvm::Expected<std::vector<HostArray>> gather(const ModelInfo &model, uint64_t set = 0, bool makeUp = false) const;
  /// The same at sizes that are not those of the first call.
  llvm::Expected<std::vector<HostArray>> gather(const ModelInfo &model, const InputSizes &sizes, uint64_t set,
                                                bool makeUp) const;
};

/// What made-up numbers lie in: floats in [low, high), integers up to `high` itself.
struct RandomRange {
  double low, high;
};

/// A plausible array, the same each time: floats in [-1, 1), integers small and not negative (InputFlags: indices of
/// all rows that there are), letters for strings.
HostArray madeUp(ElementType type, llvm::ArrayRef<int64_t> dims, uint64_t seed,
                 std::optional<RandomRange> range = std::nullopt);

/// The folders test_data_set_* in `folder` (or `folder` itself, if it holds input_0.pb), in order of their numbers.
std::vector<std::string> dataSetsIn(llvm::StringRef folder);
/// input_0.pb, input_1.pb, ... (or output_) of a data set. Ends at the first number that is not there.
llvm::Expected<std::vector<HostArray>> readDataSet(llvm::StringRef folder, llvm::StringRef kind,
                                                   llvm::ArrayRef<TensorInfo> tensors);

} // namespace sinter
