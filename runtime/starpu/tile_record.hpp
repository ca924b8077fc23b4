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
/// A version of a tile travels at most once to each rank: its holder, the rank that has written it, remembers where it
/// went (`sent_to_`), the other side that it came (`here_`). Both follow from the order of submission, which all ranks
/// share.
class TileRecord {
 public:
  TileRecord(const TileStorage& storage, Index i, Index j, Rank me, Messages& messages, Copies& copies);
  /// Waits for the tasks and messages that use the tile.
  ~TileRecord();
  TileRecord(const TileRecord&) = delete;
  TileRecord& operator=(const TileRecord&) = delete;

  starpu_data_handle_t handle() const noexcept { return handle_; }

  /// On the holder: sends the current version, unless `destination` has it.
  void send(Rank destination, int priority);
  /// On another rank: receives the current version, unless it is here.
  void receive(Rank holder);

  /// A task on this rank writes a new version, of which there are no copies.
  void written_here();
  /// What is here is stale.
  void forget();
  /// The owner has the current version: copies elsewhere are not needed any more, nor a scratch tile at all.
  void release();

 private:
  Index bytes() const { return static_cast<Index>(starpu_data_get_size(handle_)); }
  /// This rank has the current version from now on; unless it is the owner, that takes memory.
  void hold();

  Messages& messages_;
  Copies& copies_;
  starpu_data_handle_t handle_ = nullptr;
  Index id_;
  bool scratch_;
  bool owned_;
  bool here_;                  // this rank has the current version
  std::vector<Rank> sent_to_;  // on the holder: who else has the current version
};

}  // namespace tessera::detail
