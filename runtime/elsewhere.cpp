// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/elsewhere.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/backend.hpp"

namespace tessera::detail {
namespace {

/// Where the k-th parts lie: on whoever came k-th.
class PartOwners final : public Distribution {
 public:
  PartOwners(const Elsewhere& parts, std::size_t k, Rank num_ranks)
      : parts_(parts), k_(k), num_ranks_(num_ranks) {}

  Rank owner(Index i, Index j) const override { return parts_.owner(k_, i, j); }
  Rank num_ranks() const override { return num_ranks_; }
  std::string name() const override { return "parts"; }

 private:
  const Elsewhere& parts_;
  std::size_t k_;
  Rank num_ranks_;
};

}  // namespace

Elsewhere::Elsewhere(TileStorage& storage) : storage_(storage) { storage_.backend().add_elsewhere(*this); }

Elsewhere::~Elsewhere() { storage_.backend().remove_elsewhere(*this); }

Elsewhere::Part Elsewhere::part(Index i, Index j, Rank rank, int priority, const TaskBody& join, Uplo written,
                                const Turn& turn) {
  Tile& tile = tiles_[storage_.linear(i, j)];
  if (!tile.pending) {
    list(tile, i, j);
    tile.join = join.clone();
    tile.written = written;
    tile.priority = priority;
    tile.pending = true;
  }
  tile.priority = std::max(tile.priority, priority);
  auto entry = std::ranges::find(tile.parts, rank, &Contribution::rank);
  if (entry == tile.parts.end()) {
    tile.parts.push_back({rank, {}});
    entry = tile.parts.end() - 1;
  }
  const auto k = static_cast<std::size_t>(entry - tile.parts.begin());
  if (k == parts_.size()) {
    const auto owners = std::make_shared<PartOwners>(*this, k, storage_.backend().num_ranks());
    parts_.push_back(TileStorage::scratch(storage_, owners));
  }
  if (!entry->begun) entry->begun = turn;
  return {argument(k, i, j), *entry->begun};
}

bool Elsewhere::pending(Index i, Index j) const {
  const Tile* tile = find(i, j);
  return tile != nullptr && tile->pending;
}

bool Elsewhere::accepts(Index i, Index j, Uplo written, const SequenceState& sequence) const {
  if (!pending(i, j)) return true;
  const Tile& tile = *find(i, j);
  return tile.written == written && std::ranges::all_of(tile.parts, [&](const Contribution& part) {
           return !part.begun || part.begun->sequence.get() == &sequence;
         });
}

std::vector<Elsewhere::Part> Elsewhere::take(Index i, Index j) {
  std::vector<Part> taken;
  const auto entry = tiles_.find(storage_.linear(i, j));
  if (entry == tiles_.end()) return taken;
  Tile& tile = entry->second;
  for (std::size_t k = 0; k < tile.parts.size(); ++k) {
    if (const auto begun = std::exchange(tile.parts[k].begun, {}))
      taken.push_back({argument(k, i, j), *begun});
  }
  tile.pending = false;
  return taken;
}

std::vector<TaskArgument> Elsewhere::take_tiles() {
  std::vector<TaskArgument> taken;
  for (const TaskArgument& listed : std::exchange(order_, {})) {
    Tile& tile = tiles_.at(storage_.linear(listed.i, listed.j));
    tile.listed = false;
    if (tile.pending || tile.holder) taken.push_back(listed);
  }
  return taken;
}

void Elsewhere::list(Tile& tile, Index i, Index j) {
  if (!std::exchange(tile.listed, true)) order_.push_back({&storage_, i, j});
}

Rank Elsewhere::holder(Index i, Index j) const {
  const Tile* tile = find(i, j);
  return tile != nullptr && tile->holder ? *tile->holder : storage_.distribution().owner(i, j);
}

void Elsewhere::set_holder(Index i, Index j, Rank rank) {
  const bool away = rank != storage_.distribution().owner(i, j);
  if (!away && find(i, j) == nullptr) return;
  Tile& tile = tiles_[storage_.linear(i, j)];
  if (away) list(tile, i, j);
  tile.holder = away ? std::optional(rank) : std::nullopt;
}

Rank Elsewhere::owner(std::size_t k, Index i, Index j) const {
  const Tile* tile = find(i, j);
  return tile != nullptr && k < tile->parts.size() ? tile->parts[k].rank : 0;
}

const Elsewhere::Tile* Elsewhere::find(Index i, Index j) const {
  const auto entry = tiles_.find(storage_.linear(i, j));
  return entry == tiles_.end() ? nullptr : &entry->second;
}

}  // namespace tessera::detail
