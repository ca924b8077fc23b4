// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operation.hpp"

#include <map>

namespace tessera::bench {
namespace {

struct Entry {
  OperationFactory factory;
  Index Case::*columns;
};

/// In a function, so that it exists before the first Registration, whichever file that is in.
std::map<std::string, Entry>& registry() {
  static std::map<std::string, Entry> all;
  return all;
}

}  // namespace

Registration::Registration(std::string name, OperationFactory factory, Index Case::*columns) {
  registry().emplace(std::move(name), Entry{factory, columns});
}

std::unique_ptr<Operation> make_operation(const std::string& name, Runtime& runtime, const Case& c) {
  return registry().at(name).factory(runtime, c);
}

PlannedCall planned_call(const std::string& name, const Case& c) {
  return [name, c](Runtime& plan, const DistributionPtr& distribution) {
    Case there = c;
    there.distribution = distribution;
    const auto operation = make_operation(name, plan, there);
    (void)run(plan, [&](Sequence& sequence) { operation->submit(sequence); });
  };
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : registry()) names.push_back(name);
  return names;
}

Index Case::*columns_of(const std::string& name) { return registry().at(name).columns; }

}  // namespace tessera::bench
