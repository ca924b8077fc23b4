// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operation.hpp"

#include <map>

namespace tessera::bench {
namespace {

/// In a function, so that it exists before the first Registration, whichever file that is in.
std::map<std::string, OperationFactory>& factories() {
  static std::map<std::string, OperationFactory> all;
  return all;
}

}  // namespace

Registration::Registration(std::string name, OperationFactory factory) {
  factories().emplace(std::move(name), factory);
}

std::unique_ptr<Operation> make_operation(const std::string& name, Runtime& runtime, const Case& c) {
  return factories().at(name)(runtime, c);
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
  for (const auto& [name, factory] : factories()) names.push_back(name);
  return names;
}

}  // namespace tessera::bench
