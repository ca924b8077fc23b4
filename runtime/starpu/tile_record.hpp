// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <starpu.h>

#include <vector>

#include "runtime/starpu/copies.hpp"
#include "runtime/starpu/messages.hpp"
#include "tessera/storage.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// One tile on one rank, as StarPU and this rank's bookkeeping know it. Made on first use, on the ranks that own
/// or need the tile.
///
/// A version of a tile travels at most once to each rank: the owner remembers where it went (`sent_to_`), the
/// other side that it came (`here_`). Both follow from the order of submission, which all ranks share.
class TileRecord {
 public:
  TileRecord(const TileStorage& storage, Index i, Index j, Rank me, Messages& messages, Copies& copies);
  /// Waits for the tasks and messages that use the tile.
  ~TileRecord();
  TileRecord(const TileRecord&) = delete;
  TileRecord& operator=(const TileRecord&) = delete;

  starpu_data_handle_t handle() const noexcept { return handle_; }

  /// On the owner: sends the current version, unless `destination` has it.
  void send(Rank destination, int priority);
  /// On another rank: receives the current version, unless it is here.
  void receive(Rank owner);

  /// On a rank that has written the tile without owning it: the new version goes to the owner.
  void send_home(Rank owner, int priority);
  /// On the owner: receives the version that `writer` has written.
  void receive_home(Rank writer);

  /// Copies away from the owner are stale or not needed any more.
  void forget_copies();
  /// Nobody needs the tile's elements any more, its owner included, until it is overwritten.
  void discard();

 private:
  Index bytes() const { return static_cast<Index>(starpu_data_get_size(handle_)); }
  /// This rank has the current version from now on, and memory for it.
  void hold();

  Messages& messages_;
  Copies& copies_;
  starpu_data_handle_t handle_ = nullptr;
  Index id_;
  bool owned_;
  bool here_;                  // this rank has the current version
  std::vector<Rank> sent_to_;  // on the owner: who else has the current version
};

}  // namespace tessera::detail
