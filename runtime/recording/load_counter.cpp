// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/recording/load_counter.hpp"

#include <algorithm>

namespace tessera::detail {
namespace {

auto& at(auto& per_rank, Rank rank) { return per_rank[static_cast<std::size_t>(rank)]; }

}  // namespace

void LoadCounter::add_task(Rank executor, double flops, std::span<const Use> tiles) {
  RankLoad& load = at(loads_, executor);
  ++load.tasks;
  load.flops += flops;
  for (const Use& tile : tiles) {
    Copies& copies = copies_of(tile);
    const bool away = tile.owner != executor;
    if (tile.access != Access::write && away && std::ranges::find(copies, executor) == copies.end()) {
      send(tile.owner, executor, copies, executor, tile.bytes);
    }
    if (tile.access == Access::read) continue;
    drop(copies);
    if (away) send(executor, tile.owner, copies, executor, tile.bytes);
    if (tile.scratch && !away) hold(executor, copies);
  }
}

void LoadCounter::release(Index id) {
  if (const auto tile = tiles_.find(id); tile != tiles_.end()) drop(tile->second);
}

void LoadCounter::release_all() {
  for (auto& [id, copies] : tiles_) drop(copies);
}

LoadCounter::Copies& LoadCounter::copies_of(const Use& tile) {
  const auto [entry, added] = tiles_.try_emplace(tile.id);
  if (added && !tile.scratch) {
    RankLoad& load = at(loads_, tile.owner);
    ++load.tiles_owned;
    load.tiles_held = std::max(load.tiles_held, load.tiles_owned + at(copies_, tile.owner));
  }
  return entry->second;
}

/// One version travels; `holder`, the one of the two that is not the owner, has a copy of it from now on.
void LoadCounter::send(Rank from, Rank to, Copies& copies, Rank holder, Index bytes) {
  Traffic& sent = at(loads_, from).traffic;
  ++sent.tiles_sent;
  sent.bytes_sent += bytes;
  Traffic& received = at(loads_, to).traffic;
  ++received.tiles_received;
  received.bytes_received += bytes;
  hold(holder, copies);
}

void LoadCounter::hold(Rank rank, Copies& copies) {
  copies.push_back(rank);
  RankLoad& load = at(loads_, rank);
  load.tiles_held = std::max(load.tiles_held, load.tiles_owned + ++at(copies_, rank));
}

void LoadCounter::drop(Copies& copies) {
  for (const Rank rank : copies) --at(copies_, rank);
  copies.clear();
}

}  // namespace tessera::detail
