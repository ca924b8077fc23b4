// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/recording/load_counter.hpp"

#include <algorithm>

namespace tessera::detail {
namespace {

auto& at(auto& per_rank, Rank rank) { return per_rank[static_cast<std::size_t>(rank)]; }

}  // namespace

/// Adds to the level. \return by how much that is more than it has ever been
Index LoadCounter::Level::add(Index amount) {
  now += amount;
  const Index before = most;
  most = std::max(most, now);
  return most - before;
}

void LoadCounter::add_task(Rank executor, double flops, std::span<const Use> tiles) {
  RankLoad& load = at(loads_, executor);
  ++load.tasks;
  load.flops += flops;
  for (const Use& use : tiles) {
    Tile& tile = tile_of(use);
    if (use.access != Access::write) send(tile, executor);
    if (use.access != Access::read) write(tile, executor);
  }
}

void LoadCounter::release(Index id) {
  if (const auto entry = tiles_.find(id); entry != tiles_.end()) send_home(entry->second);
}

void LoadCounter::release_all() {
  for (auto& [id, tile] : tiles_) send_home(tile);
}

void LoadCounter::forget(Index id) {
  const auto entry = tiles_.find(id);
  if (entry == tiles_.end()) return;
  for (const Rank rank : std::vector(entry->second.has_it)) drop(entry->second, rank);
  tiles_.erase(entry);
}

LoadCounter::Tile& LoadCounter::tile_of(const Use& use) {
  const auto [entry, added] = tiles_.try_emplace(use.id, Tile{use.owner, use.bytes, use.scratch, {}});
  Tile& tile = entry->second;
  if (added && !use.scratch) {
    tile.has_it = {use.owner};
    RankLoad& load = at(loads_, use.owner);
    ++load.tiles_owned;
    ++load.tiles_held;
    load.bytes_held += use.bytes;
  }
  return tile;
}

/// The current version travels from its writer to `rank`, unless it is there.
void LoadCounter::send(Tile& tile, Rank rank) {
  if (std::ranges::find(tile.has_it, rank) != tile.has_it.end()) return;
  Traffic& sent = at(loads_, tile.has_it.front()).traffic;
  ++sent.tiles_sent;
  sent.bytes_sent += tile.bytes;
  Traffic& received = at(loads_, rank).traffic;
  ++received.tiles_received;
  received.bytes_received += tile.bytes;
  hold(tile, rank);
}

/// From now on `rank` alone has the current version.
void LoadCounter::write(Tile& tile, Rank rank) {
  if (std::ranges::find(tile.has_it, rank) == tile.has_it.end()) hold(tile, rank);
  keep_only(tile, rank);
}

void LoadCounter::send_home(Tile& tile) {
  if (!tile.scratch) send(tile, tile.owner);
  keep_only(tile, tile.owner);
  if (tile.scratch) drop(tile, tile.owner);
}

void LoadCounter::hold(Tile& tile, Rank rank) {
  tile.has_it.push_back(rank);
  if (tile.has_memory(rank)) return;
  RankLoad& load = at(loads_, rank);
  Copies& copies = at(copies_, rank);
  load.tiles_held += copies.tiles.add(1);
  load.bytes_held += copies.bytes.add(tile.bytes);
}

void LoadCounter::drop(Tile& tile, Rank rank) {
  if (std::erase(tile.has_it, rank) == 0 || tile.has_memory(rank)) return;
  Copies& copies = at(copies_, rank);
  copies.tiles.add(-1);
  copies.bytes.add(-tile.bytes);
}

void LoadCounter::keep_only(Tile& tile, Rank rank) {
  for (const Rank other : std::vector(tile.has_it)) {
    if (other != rank) drop(tile, other);
  }
}

}  // namespace tessera::detail
