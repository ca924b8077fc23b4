// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "src/argument_check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "runtime/backend.hpp"

namespace tessera::detail {
namespace {

/// What a rank tells the others; texts travel only after a fault.
struct Verdict {
  bool fault;
  std::size_t noted;  // hash

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

using Text = std::array<char, 256>;

Text pack(std::string_view s) {
  Text text{};
  std::copy_n(s.begin(), std::min(s.size(), text.size() - 1), text.begin());
  return text;
}

template <class Value>
std::vector<Value> gather(const Backend& backend, const Value& mine) {
  std::vector<Value> all(static_cast<std::size_t>(backend.num_ranks()));
  backend.all_gather(&mine, sizeof(Value), all.data());
  return all;
}

}  // namespace

void ArgumentCheck::done() {
  const Backend& backend = *runtime_.backend();
  if (backend.num_ranks() == 1 || backend.kind() == BackendKind::recording) {
    if (!argument_.empty()) throw ArgumentError(routine_, argument_, value_, reason_);
    return;
  }
  const auto verdicts =
      gather(backend, Verdict{!argument_.empty(), std::hash<std::string>{}(routine_ + noted_)});
  if (const auto fault = std::ranges::find(verdicts, true, &Verdict::fault); fault != verdicts.end()) {
    const auto rank = static_cast<std::size_t>(fault - verdicts.begin());
    const auto arguments = gather(backend, pack(argument_));
    const auto values = gather(backend, pack(value_));
    const auto reasons = gather(backend, pack(reason_));
    throw ArgumentError(routine_, arguments[rank].data(), values[rank].data(),
                        fmt::format("{} (on rank {})", reasons[rank].data(), rank));
  }
  const auto other = std::ranges::find_if(verdicts, [&](const Verdict& v) { return v != verdicts.front(); });
  if (other != verdicts.end()) {
    const auto rank = static_cast<std::size_t>(other - verdicts.begin());
    const auto notes = gather(backend, pack(routine_ + ": " + noted_));
    throw ArgumentError(routine_, "arguments", fmt::format("({}) on rank 0", notes[0].data()),
                        fmt::format("rank {} has ({})", rank, notes[rank].data()));
  }
}

}  // namespace tessera::detail
