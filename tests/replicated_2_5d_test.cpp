// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/replicated_2_5d.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/lu.hpp"
#include "tests/support/reference.hpp"

namespace tessera::test {
namespace {

using Matrix = TileMatrix<double>;
using Home = Replicated25D::Home;

DistributionPtr layers_over(const std::string& base, Index c, const std::string& home = "diagonal") {
  return make_distribution("2.5d:c=" + std::to_string(c) + ",home=" + home + "/" + base);
}

// ---- Who owns and who works ---------------------------------------------------------------------------------

TEST(Replicated25D, GivesEachHomeItsLayerAndEachStepAnother) {
  const BlockCyclic2D base(2, 3);
  for (const auto& [home, line] : std::map<std::string, std::function<Index(Index, Index)>>{
           {"diagonal", [](Index i, Index j) { return std::min(i, j); }},
           {"base", [](Index, Index) { return 0; }},
           {"rows", [](Index i, Index) { return i; }},
           {"columns", [](Index, Index j) { return j; }}}) {
    const DistributionPtr d = layers_over("2dbc:p=2,q=3", 4, home);
    EXPECT_EQ(d->num_ranks(), 24);
    EXPECT_EQ(d->layers(), 4);
    for (Index i = 0; i < 11; ++i) {
      for (Index j = 0; j < 11; ++j) {
        EXPECT_EQ(d->owner(i, j), line(i, j) % 4 * 6 + base.owner(i, j)) << home;
        EXPECT_EQ(d->executor(i, j, i + 2 * j), (i + 2 * j) % 4 * 6 + base.owner(i, j)) << home;
      }
    }
  }
}

TEST(Replicated25D, SpreadsTheTilesOfEachRankOverTheLayersInTurns) {
  const auto d = layers_over("2dbc:p=2,q=2", 3, "spread")->fitted(10, 7);
  ASSERT_NE(d, nullptr);
  std::map<Rank, Index> tiles;
  for (Index j = 0; j < 7; ++j) {
    for (Index i = 0; i < 10; ++i) {
      ++tiles[d->owner(i, j)];
      EXPECT_EQ(d->owner(i, j) % 4, BlockCyclic2D(2, 2).owner(i, j));
    }
  }
  EXPECT_EQ(tiles.size(), 12U);
  for (Rank r = 0; r < 4; ++r) {  // of one rank of the base: 20 or 15 tiles on three layers
    const auto [least, most] = std::minmax({tiles[r], tiles[r + 4], tiles[r + 8]});
    EXPECT_LE(most - least, 1);
  }
}

TEST(Replicated25D, IsFittedWhenItsBaseIs) {
  const auto base = make_distribution("tbc:q=2,plane=projective");
  const auto d = layers_over("tbc:q=2,plane=projective", 2);
  const auto fitted_base = base->fitted(9, 9), fitted = d->fitted(9, 9);
  ASSERT_NE(fitted, nullptr);
  EXPECT_EQ(fitted->name(), d->name());
  for (Index i = 0; i < 9; ++i) EXPECT_EQ(fitted->owner(i, i), i % 2 * 7 + fitted_base->owner(i, i));
  EXPECT_EQ(layers_over("sbc:r=3", 2)->fitted(9, 9), nullptr);
}

TEST(Replicated25D, MovesHomeButForWhoAskedForTheBase) {
  EXPECT_EQ(with_home(layers_over("sbc:r=3", 2), Home::rows)->name(), "2.5d:c=2,home=rows/sbc:r=3");
  EXPECT_EQ(with_home(layers_over("sbc:r=3", 2, "base"), Home::rows)->name(), "2.5d:c=2,home=base/sbc:r=3");
  EXPECT_EQ(with_home(make_distribution("sbc:r=3"), Home::rows)->name(), "sbc:r=3");
}

TEST(Replicated25D, RefusesLayersThatMakeNoSense) {
  const auto base = make_distribution("2dbc:p=2,q=3");
  EXPECT_THROW(Replicated25D(1, base), ArgumentError);
  EXPECT_THROW(Replicated25D(-3, base), ArgumentError);
  EXPECT_THROW(Replicated25D(2, nullptr), ArgumentError);
  EXPECT_THROW(Replicated25D(2, layers_over("sbc:r=3", 2)), ArgumentError);
  EXPECT_THROW(Replicated25D(2000000000, base), ArgumentError);
}

// ---- What algorithms send -----------------------------------------------------------------------------------

/// The call of a row of the reference, with each matrix where the reference has it. Tiles of one element.
class Call {
 public:
  explicit Call(const Row& row)
      : op_(row.text("op")),
        base_(row.text("base")),
        c_(row.count("c")),
        n_(row.count("n")),
        m_(row.count("m")) {}

  DistributionPtr at(const std::string& home) const { return layers_over(base_, c_, home); }

  void operator()(Runtime& plan, const DistributionPtr& /*the default*/) const {
    const ProductOptions c{.stationary = Stationary::c}, a{.stationary = Stationary::a};
    if (op_ == "potrf25") {
      EXPECT_TRUE(potrf(plan, Uplo::Lower, Matrix(plan, n_, n_, 1, at("diagonal"))).ok());
    } else if (op_ == "lu25") {
      const Matrix A(plan, n_, n_, 1, at("diagonal"));
      EXPECT_TRUE(getrf(plan, A, make_pivots(plan, A), {.pivoting = Pivoting::none}).ok());
    } else if (op_ == "gemm25-layer") {  // the operands of step k on the layer that runs it
      gemm<double>(plan, 1, matrix(plan, n_, "columns"), matrix(plan, m_, "rows"), 1,
                   matrix(plan, m_, "spread"), c);
    } else if (op_ == "gemm25-zero") {
      gemm<double>(plan, 1, matrix(plan, n_, "base"), matrix(plan, m_, "base"), 1, matrix(plan, m_, "base"),
                   c);
    } else if (op_ == "symm-Cstat25") {
      symm<double>(plan, Side::Left, Uplo::Lower, 1, matrix(plan, n_, "columns"), matrix(plan, m_, "rows"), 1,
                   matrix(plan, m_, "spread"), c);
    } else if (op_ == "symm-Astat25") {  // column j of B and C on layer j mod c
      const Matrix A = matrix(plan, n_, "spread");
      const DistributionPtr operand =
          base_.starts_with("2dbc") ? at("columns") : symmetric_operand(A.distribution(), n_, Uplo::Lower);
      const Matrix B(plan, n_, m_, 1, operand), C(plan, n_, m_, 1, operand);
      symm<double>(plan, Side::Left, Uplo::Lower, 1, A, B, 1, C, a);
    }
  }

 private:
  Matrix matrix(Runtime& plan, Index cols, const std::string& home) const {
    return {plan, n_, cols, 1, at(home)};
  }

  std::string op_, base_;
  Index c_, n_, m_;
};

TEST(Replicated25D, SendsWhatTheReferenceCounts) {
  Index rows = 0;
  for (const Row& row : reference_rows("layers_volumes.csv")) {
    ++rows;
    SCOPED_TRACE(row.line());
    const Call call(row);
    const Prediction p = predict(call.at("diagonal"), call.at("diagonal")->num_ranks(), call);
    EXPECT_EQ(p.tiles_sent(), row.count("volume_tiles"));
    // The reference deals out the columns of B and C among the ranks of a colrow in another order.
    if (row.text("op") == "symm-Astat25") continue;
    EXPECT_EQ(p.max_tiles_sent(), row.count("sent_max_tiles"));
    EXPECT_EQ(p.max_tiles_received(), row.count("recv_max_tiles"));
    const bool is_lu = row.text("op") == "lu25";
    EXPECT_EQ(is_lu ? most_tasks_of_lu(p, *call.at("diagonal"), row.count("n")) : p.max_tasks(),
              row.count("tasks_max"));
  }
  EXPECT_EQ(rows, 189);
}

Prediction cholesky(const DistributionPtr& distribution, Index n, Uplo uplo = Uplo::Lower) {
  return predict(distribution, distribution->num_ranks(), [=](Runtime& plan, const DistributionPtr& d) {
    EXPECT_TRUE(potrf(plan, uplo, Matrix(plan, n, n, 1, d)).ok());
  });
}

TEST(Replicated25D, TheAutomaticChoiceSendsTheLeastAlsoInFewerStepsThanLayers) {
  for (const std::string base : {"2dbc:p=1,q=2", "2dbc:p=2,q=2", "sbc:r=3"}) {
    for (const Index c : {2, 3, 5}) {
      for (const Index n : {4, 7}) {
        for (const Index m : {1, 2, 4, 9}) {
          const DistributionPtr d = layers_over(base, c, "spread");
          const auto sent = [&](Stationary stationary, bool symmetric) {
            return predict(d, d->num_ranks(),
                           [&](Runtime& plan, const DistributionPtr& on) {
                             const Matrix A(plan, n, n, 1, on), B(plan, n, m, 1, on), C(plan, n, m, 1, on);
                             const ProductOptions options{.stationary = stationary};
                             if (symmetric) {
                               symm<double>(plan, Side::Left, Uplo::Lower, 1, A, B, 1, C, options);
                             } else {
                               gemm<double>(plan, 1, A, B, 1, C, options);
                             }
                           })
                .tiles_sent();
          };
          for (const bool symmetric : {false, true}) {
            EXPECT_EQ(sent(Stationary::automatic, symmetric),
                      std::min({sent(Stationary::a, symmetric), sent(Stationary::b, symmetric),
                                sent(Stationary::c, symmetric)}))
                << d->name() << " n=" << n << " m=" << m << (symmetric ? " symm" : " gemm");
          }
        }
      }
    }
  }
}

TEST(Replicated25D, CholeskySendsTheBaseVolumeAndASumPerTileAndForeignLayer) {
  for (const std::string base : {"2dbc:p=2,q=2", "2dbc:p=3,q=2", "sbc:r=3", "sbc:r=4,kind=basic", "gcrm:P=5",
                                 "tbc:q=2,plane=projective", "g2dbc:P=7", "1d:rows,P=3", "rank:0"}) {
    for (const Index c : {2, 3, 5}) {
      for (const Index n : {1, 2, 4, 9, 20}) {
        Index sums = 0, elsewhere = 0;
        for (Index j = 0; j < n; ++j) {
          sums += (n - j) * std::min(j, c - 1);
          elsewhere += j % c != 0 ? n - j : 0;
        }
        SCOPED_TRACE(base + " c=" + std::to_string(c) + " n=" + std::to_string(n));
        const Index expected = cholesky(make_distribution(base), n).tiles_sent() + sums;
        for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
          const Index of_base =
              uplo == Uplo::Lower ? expected : cholesky(make_distribution(base), n, uplo).tiles_sent() + sums;
          EXPECT_EQ(cholesky(layers_over(base, c), n, uplo).tiles_sent(), of_base);
          // From layer 0 and back: the way there is a sum that would have been sent anyway.
          EXPECT_EQ(cholesky(layers_over(base, c, "base"), n, uplo).tiles_sent(), of_base + elsewhere);
        }
      }
    }
  }
}

TEST(Replicated25D, EveryTileIsHeldAtMostOncePerLayer) {
  const Index n = 24;
  for (const Index c : {2, 3}) {
    const Prediction p = cholesky(layers_over("sbc:r=4", c), n);
    Index held = 0;
    for (const RankLoad& load : p.loads) held += load.tiles_held;
    const Index triangle = n * (n + 1) / 2, panel = 3 * n * c;  // three ranks need each tile of a panel
    EXPECT_GT(held, triangle * c / 2);                          // it is worth having a bound
    EXPECT_LE(held, triangle * c + panel);
  }
}

// ---- Layers work at the same time -----------------------------------------------------------------------------

/// The time in which ranks with one worker each get a graph of tasks done, a task taking as long as its operations
/// (at least 1) and messages none; of the tasks that are ready the most urgent one first.
double makespan(const TaskGraph& graph) {
  const auto& tasks = graph.tasks();
  std::vector<std::vector<std::size_t>> successors(tasks.size());
  std::vector<std::size_t> waits_for(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    waits_for[t] = tasks[t].predecessors.size();
    for (const std::size_t p : tasks[t].predecessors) successors[p].push_back(t);
  }
  using Ready = std::priority_queue<std::tuple<int, Index>>;  // priority, -number
  std::vector<Ready> ready(graph.loads().size());
  std::vector<char> busy(ready.size());
  std::priority_queue<std::tuple<double, std::size_t>> running;  // -end, task
  double now = 0;
  const auto start = [&](std::size_t rank) {
    if (busy[rank] || ready[rank].empty()) return;
    const auto task = static_cast<std::size_t>(-std::get<1>(ready[rank].top()));
    ready[rank].pop();
    busy[rank] = 1;
    running.emplace(-(now + std::max(1.0, tasks[task].flops)), task);
  };
  const auto enqueue = [&](std::size_t t) {
    ready[static_cast<std::size_t>(tasks[t].executor)].emplace(tasks[t].options.priority,
                                                               -static_cast<Index>(t));
  };
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (waits_for[t] == 0) enqueue(t);
  }
  for (std::size_t rank = 0; rank < ready.size(); ++rank) start(rank);
  while (!running.empty()) {
    const auto [end, task] = running.top();
    running.pop();
    now = -end;
    const auto rank = static_cast<std::size_t>(tasks[task].executor);
    busy[rank] = 0;
    start(rank);
    for (const std::size_t next : successors[task]) {
      if (--waits_for[next] != 0) continue;
      enqueue(next);
      start(static_cast<std::size_t>(tasks[next].executor));
    }
  }
  return now;
}

TEST(Replicated25D, LayersOfACholeskyOverlap) {
  const Index n = 24, c = 3;
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = 30;
  Runtime plan(options);
  EXPECT_TRUE(potrf(plan, Uplo::Lower, Matrix(plan, 4 * n, 4 * n, 4, layers_over("sbc:r=5", c))).ok());
  const TaskGraph& graph = plan.graph();

  // With a barrier after each step only the ten ranks of one layer would work at a time.
  const double one_layer_at_a_time = graph.flops() / 10;
  EXPECT_LT(makespan(graph), 0.6 * one_layer_at_a_time);

  // Two steps of different layers are in the graph side by side: no update of step 1 waits for one of step 0.
  const auto& tasks = graph.tasks();
  const auto is_update = [&](const RecordedTask& task, Index step) {
    return task.name == "dgemm" && task.options.step == step && task.tiles.back().j >= 2;
  };
  Index updates = 0;
  for (const RecordedTask& task : tasks) {
    if (!is_update(task, 1)) continue;
    ++updates;
    for (const std::size_t p : task.predecessors) EXPECT_FALSE(is_update(tasks[p], 0));
  }
  EXPECT_EQ(updates, (n - 2) * (n - 3) / 2);
}

}  // namespace
}  // namespace tessera::test
