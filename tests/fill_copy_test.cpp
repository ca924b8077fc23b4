// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/generators.hpp"
#include "tessera/task_graph.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

namespace tessera {
namespace {

using namespace tessera::test;
using testing::HasSubstr;

struct Shape {
  Index m, n, mb, nb;
};

// Empty, 1 x 1, smaller than a tile, one tile, several tiles, ragged, mb != nb (F13, F17).
constexpr Shape shapes[] = {{0, 0, 4, 4}, {0, 5, 4, 4},   {5, 0, 4, 4},  {1, 1, 4, 4},   {3, 2, 4, 4},
                            {4, 4, 4, 4}, {12, 12, 4, 4}, {10, 7, 4, 4}, {10, 10, 4, 3}, {7, 11, 2, 5}};
constexpr Uplo parts[] = {Uplo::General, Uplo::Lower, Uplo::Upper};

bool belongs(Uplo uplo, Index i, Index j) { return uplo == Uplo::General || in_triangle(uplo, i, j); }

/// A buffer of marked NaNs, guard rows included.
template <Scalar T>
Dense<T> nan_buffer(Index m, Index n, Index guard_rows = 0) {
  Dense<T> a(m, n, guard_rows);
  std::fill_n(a.data(), a.ld() * n, marked_nan<T>());
  return a;
}

template <Scalar T>
TileMatrix<T> make_matrix(Runtime& rt, const Shape& s) {
  return TileMatrix<T>(rt, s.m, s.n, s.mb, s.nb, DistributionPtr{});
}

/// The matrix as two transposed views of it can be had: A^T, and A^H (the same for real types).
template <Scalar T>
TileMatrix<T> view(Op op, const TileMatrix<T>& A) {
  return op == Op::no_trans ? A : op == Op::trans ? trans(A) : conj_trans(A);
}

/// Element (i, j) of op(f).
template <Scalar T, class F>
auto view(Op op, F f) {
  return [op, f](Index i, Index j) -> T {
    if (op == Op::no_trans) return f(i, j);
    return op == Op::trans ? f(j, i) : conjugate(f(j, i));
  };
}

template <class F>
void on_each_backend(F f) {
  for (const BackendKind kind : computing_backends) {
    SCOPED_TRACE(name_of(kind));
    Runtime rt = make_runtime(kind);
    f(rt);
  }
}

/// The statement throws an ArgumentError that names this argument.
template <class F>
void expect_argument_error(const std::string& argument, F f) {
  try {
    f();
    ADD_FAILURE() << "no exception";
  } catch (const ArgumentError& e) {
    EXPECT_EQ(e.argument(), argument) << e.what();
  }
}

template <class T>
class Fill : public testing::Test {};
template <class T>
class Copy : public testing::Test {};
TYPED_TEST_SUITE(Fill, Scalars);
TYPED_TEST_SUITE(Copy, Scalars);

// ---- fill -------------------------------------------------------------------------------------------------

TYPED_TEST(Fill, ElementFunctionSetsItsPartAndLeavesTheRestBitIdentical) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(1);
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const Uplo uplo : parts) {
        auto A = make_matrix<T>(rt, s);
        set_directly(A, [](Index, Index) { return marked_nan<T>(); });
        fill(rt, uplo, A, f);
        EXPECT_TRUE(
            holds(A, [&](Index i, Index j) { return belongs(uplo, i, j) ? f(i, j) : marked_nan<T>(); }));
      }
    }
  });
}

TYPED_TEST(Fill, TileFunctionGetsEveryTileOfItsPartOnceWithItsPlace) {
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const Uplo uplo : parts) {
        auto A = make_matrix<T>(rt, s);
        std::mutex mutex;
        std::map<std::pair<Index, Index>, std::pair<Index, Index>> seen;  // first element -> rows and columns
        fill(rt, uplo, A, [&](Tile<T> tile, Index first_row, Index first_col) {
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(seen.try_emplace({first_row, first_col}, tile.rows, tile.cols).second);
          for (Index c = 0; c < tile.cols; ++c) {
            for (Index r = 0; r < tile.rows; ++r) tile(r, c) = static_cast<T>(static_cast<real_t<T>>(1));
          }
        });
        for (Index j = 0; j < A.nt(); ++j) {
          for (Index i = 0; i < A.mt(); ++i) {
            const Index row = A.tiling().first_row(i), col = A.tiling().first_col(j);
            bool touches = false;
            for (Index c = 0; c < A.tiling().cols(j); ++c) {
              for (Index r = 0; r < A.tiling().rows(i); ++r) touches |= belongs(uplo, row + r, col + c);
            }
            const auto place = seen.find({row, col});
            ASSERT_EQ(place != seen.end(), touches) << "tile " << i << ", " << j;
            if (!touches) continue;
            EXPECT_EQ(place->second, std::pair(A.tiling().rows(i), A.tiling().cols(j)));
          }
        }
        EXPECT_TRUE(holds(A, [&](Index i, Index j) {
          return T(static_cast<real_t<T>>(seen.contains({i / s.mb * s.mb, j / s.nb * s.nb}) ? 1 : 0));
        }));
      }
    }
  });
}

TYPED_TEST(Fill, WritesAWrappedBufferInPlaceAndNotItsPaddingRows) {
  using T = TypeParam;
  const auto f = generate::integers<T>(2);
  on_each_backend([&](Runtime& rt) {
    auto a = nan_buffer<T>(10, 7, 2);
    fill(rt, TileMatrix<T>::wrap(rt, 10, 7, a.data(), a.ld(), 4), f);
    for (Index j = 0; j < a.n(); ++j) {
      for (Index i = 0; i < a.ld(); ++i)
        EXPECT_TRUE(same_bits(a(i, j), i < a.m() ? f(i, j) : marked_nan<T>()));
    }
  });
}

TYPED_TEST(Fill, CountsRowsAndColumnsFromTheFirstElementOfASubMatrix) {
  using T = TypeParam;
  const auto f = generate::integers<T>(3, 1, 9);
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 10, 10, 4);
    fill(rt, A.sub(1, 1, 1, 2), f);
    EXPECT_TRUE(
        holds(A, [&](Index i, Index j) { return i >= 4 && i < 8 && j >= 4 ? f(i - 4, j - 4) : T{}; }));
  });
}

TYPED_TEST(Fill, ReportsTheMessageOfACallbackThatThrowsAndTheNextCallWorks) {
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 10, 7, 4);
    const auto message_of = [&](auto f) -> std::string {
      try {
        fill(rt, A, f);
      } catch (const TaskError& e) {
        return e.what();
      }
      return "no exception";
    };
    EXPECT_THAT(message_of([](Index i, Index j) -> T {
                  if (i == 9 && j == 6) throw std::runtime_error("no element (9, 6)");
                  return T{};
                }),
                HasSubstr("no element (9, 6)"));
    EXPECT_THAT(message_of([](Tile<T>, Index, Index) { throw std::runtime_error("no tiles today"); }),
                HasSubstr("no tiles today"));
    EXPECT_THAT(message_of([](Tile<T>, Index, Index) { throw 42; }), HasSubstr("unknown"));

    fill(rt, A, generate::minimum<T>());
    EXPECT_TRUE(holds(A, generate::minimum<T>()));
  });
}

TYPED_TEST(Fill, AfterAThrowTheRestOfTheSequenceDoesNothingAndTheSequenceCanBeUsedAgain) {
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 8, 8, 4), B(rt, 8, 8, 4);
    Sequence sequence(rt);
    fill(sequence, A, [](Index, Index) -> T { throw std::logic_error("stop"); });
    lacpy(sequence, Uplo::General, A, B);  // follows from the tiles that failed
    EXPECT_THROW((void)sequence.wait(), TaskError);
    EXPECT_TRUE(holds(B, generate::constant(T{})));
    fill(sequence, A, generate::minimum<T>());
    lacpy(sequence, Uplo::General, A, B);
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_TRUE(holds(B, generate::minimum<T>()));
  });
}

TYPED_TEST(Fill, TakesFunctionsThatOwnTheirDataAndCannotBeCopied) {
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 5, 5, 2);
    fill(rt, A, [x = std::make_unique<T>(T{3})](Index, Index) { return *x; });
    EXPECT_TRUE(holds(A, generate::constant(T{3})));
  });
}

TYPED_TEST(Fill, RefusesTransposedViewsAndMatricesOfAnotherRuntime) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential), other = make_runtime(BackendKind::sequential);
  TileMatrix<T> A(rt, 5, 3, 2);
  set_directly(A, generate::minimum<T>());
  const auto zero = generate::constant(T{});
  expect_argument_error("A.op()", [&] { fill(rt, conj_trans(A), zero); });
  expect_argument_error("A", [&] { fill(other, A, zero); });
  EXPECT_TRUE(holds(A, generate::minimum<T>()));
}

// ---- lacpy ------------------------------------------------------------------------------------------------

TYPED_TEST(Copy, LacpyCopiesItsPartBetweenAnyTilingsAndReadsAndWritesNothingElse) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(4);
  const auto only = [](Uplo uplo, auto g) {
    return [uplo, g](Index i, Index j) { return belongs(uplo, i, j) ? g(i, j) : marked_nan<T>(); };
  };
  const auto nine = generate::constant(T{9});
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const auto& [mb, nb] : {std::pair<Index, Index>{s.mb, s.nb}, {3, 3}, {5, 20}}) {
        for (const Uplo uplo : parts) {
          auto A = make_matrix<T>(rt, s), B = make_matrix<T>(rt, {s.m, s.n, mb, nb});
          set_directly(A, only(uplo, f));
          set_directly(B, nine);
          lacpy(rt, uplo, A, B);
          EXPECT_TRUE(holds(A, only(uplo, f)));
          EXPECT_TRUE(holds(B, [&](Index i, Index j) { return belongs(uplo, i, j) ? f(i, j) : T{9}; }));
        }
      }
    }
  });
}

TYPED_TEST(Copy, LacpyReadsAndWritesTransposedViews) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(5);
  on_each_backend([&](Runtime& rt) {
    for (const Op op : {Op::trans, Op::conj_trans}) {
      for (const Uplo uplo : parts) {
        const auto part_of_view = [&](auto g) {
          return [uplo, g](Index i, Index j) { return belongs(uplo, i, j) ? g(i, j) : T{}; };
        };
        TileMatrix<T> A(rt, 10, 7, 4), B(rt, 7, 10, 3), C(rt, 10, 7, 2), D(rt, 7, 10, 5);
        set_directly(A, f);
        lacpy(rt, uplo, view(op, A), B);  // B = op(A)
        EXPECT_TRUE(holds(B, part_of_view(view<T>(op, f))));
        lacpy(rt, uplo, view(op, B), C);
        const auto twice = [&](Index i, Index j) {  // of a triangle, its diagonal comes back
          return belongs(uplo, i, j) && belongs(uplo, j, i) ? f(i, j) : T{};
        };
        EXPECT_TRUE(holds(C, twice));
        lacpy(rt, uplo, A, view(op, D));  // op(D) = A
        EXPECT_TRUE(holds(D, view<T>(op, part_of_view(f))));
        TileMatrix<T> E(rt, 10, 7, 5);
        lacpy(rt, uplo, view(op, B), view(op, view(op, E)));  // an op of an op
        EXPECT_TRUE(holds(E, twice));
      }
    }
  });
}

// F16: a copy between different descriptors, and from an offset within tiles.
TYPED_TEST(Copy, LacpyOf10x7FromTilesOf4ToTilesOf3AndFromOffset3And2IsExact) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(6);
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 10, 7, 4), B(rt, 10, 7, 3), C(rt, 7, 5, 3), Big(rt, 13, 9, 4), D(rt, 10, 7, 3);
    set_directly(A, f);
    set_directly(Big, f);
    lacpy(rt, Uplo::General, A, B);
    lacpy(rt, Uplo::General, A, C, {.rows = 7, .cols = 5, .a_row = 3, .a_col = 2});
    lacpy(rt, Uplo::General, Big, D, {.rows = 10, .cols = 7, .a_row = 3, .a_col = 2});
    const auto shifted = [&](Index i, Index j) { return f(i + 3, j + 2); };
    EXPECT_TRUE(holds(B, f));
    EXPECT_TRUE(holds(C, shifted));
    EXPECT_TRUE(holds(D, shifted));
  });
}

TYPED_TEST(Copy, LacpyCopiesAnyBlockToAnyPlace) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(7);
  on_each_backend([&](Runtime& rt) {
    auto A = make_matrix<T>(rt, {9, 8, 3, 2});
    set_directly(A, f);
    for (const CopyBlock& b :
         {CopyBlock{5, 4, 3, 2, 1, 2}, CopyBlock{1, 1, 8, 7, 0, 0}, CopyBlock{4, 6, 1, 1, 4, 0},
          CopyBlock{9, 3, 0, 5, 0, 3}, CopyBlock{0, 3, 9, 0, 2, 2}, CopyBlock{3, 0, 0, 8, 6, 6}}) {
      for (const Uplo uplo : parts) {
        const auto expected = [&](Index i, Index j) {
          const Index r = i - b.b_row, c = j - b.b_col;
          const bool inside = r >= 0 && r < b.rows && c >= 0 && c < b.cols && belongs(uplo, r, c);
          return inside ? f(b.a_row + r, b.a_col + c) : marked_nan<T>();
        };
        auto B = make_matrix<T>(rt, {9, 6, 2, 4}), C = make_matrix<T>(rt, {6, 9, 4, 2});
        for (auto* X : {&B, &C}) set_directly(*X, [](Index, Index) { return marked_nan<T>(); });
        lacpy(rt, uplo, A, B, b);
        EXPECT_TRUE(holds(B, expected));
        lacpy(rt, uplo, A, trans(C), b);
        EXPECT_TRUE(holds(C, [&](Index i, Index j) { return expected(j, i); }));
      }
    }
  });
}

TYPED_TEST(Copy, LacpyMovesTilesWithinOneMatrixAndRefusesBlocksThatShareATile) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(8);
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 8, 8, 4);
    set_directly(A, f);
    lacpy(rt, Uplo::General, A.sub(0, 0, 1, 2), A.sub(1, 0, 1, 2));
    EXPECT_TRUE(holds(A, [&](Index i, Index j) { return f(i % 4, j); }));
    expect_argument_error("B", [&] { lacpy(rt, Uplo::General, A, A); });
    expect_argument_error("B", [&] { lacpy(rt, Uplo::General, A, trans(A)); });
    expect_argument_error("B", [&] { lacpy(rt, Uplo::General, A, A, {.rows = 2, .cols = 2, .b_row = 2}); });
    EXPECT_TRUE(holds(A, [&](Index i, Index j) { return f(i % 4, j); }));
  });
}

TYPED_TEST(Copy, LacpyNamesTheArgumentThatIsWrongAndTouchesNothing) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential), other = make_runtime(BackendKind::sequential);
  TileMatrix<T> A(rt, 5, 4, 2), B(rt, 5, 4, 3), taller(rt, 6, 4, 2), wider(rt, 5, 5, 2),
      foreign(other, 5, 4, 2);
  set_directly(A, generate::constant(T{1}));
  const Uplo all = Uplo::General;
  expect_argument_error("B.m()", [&] { lacpy(rt, all, A, taller); });
  expect_argument_error("B.n()", [&] { lacpy(rt, all, A, wider); });
  expect_argument_error("B.m()", [&] { lacpy(rt, all, trans(A), B); });
  expect_argument_error("A", [&] { lacpy(rt, all, foreign, B); });
  expect_argument_error("B", [&] { lacpy(rt, all, A, foreign); });
  expect_argument_error("block.rows", [&] { lacpy(rt, all, A, B, {.rows = -1, .cols = 1}); });
  expect_argument_error("block.cols", [&] { lacpy(rt, all, A, B, {.rows = 1, .cols = -1}); });
  expect_argument_error("block.a_row", [&] { lacpy(rt, all, A, B, {.rows = 5, .cols = 1, .a_row = 1}); });
  expect_argument_error("block.a_col", [&] { lacpy(rt, all, A, B, {.rows = 1, .cols = 1, .a_col = 4}); });
  expect_argument_error("block.b_row", [&] { lacpy(rt, all, A, B, {.rows = 1, .cols = 1, .b_row = -1}); });
  expect_argument_error("block.b_col", [&] { lacpy(rt, all, A, B, {.rows = 1, .cols = 2, .b_col = 3}); });
  EXPECT_TRUE(holds(B, generate::constant(T{})));
  if constexpr (is_complex<T>) {
    TileMatrix<T> C(rt, 4, 5, 2);
    EXPECT_THROW(lacpy(rt, all, trans(A), conj_trans(B)), ArgumentError);  // B would be conj(A)
  }
  lacpy(rt, all, A, B);
  EXPECT_TRUE(holds(B, generate::constant(T{1})));
}

// ---- laset, lascal ----------------------------------------------------------------------------------------

TYPED_TEST(Copy, LasetSetsDiagonalAndOffDiagonalOfItsPart) {
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const Uplo uplo : parts) {
        auto A = make_matrix<T>(rt, s);
        set_directly(A, [](Index, Index) { return marked_nan<T>(); });
        laset(rt, uplo, T{2}, T{-1}, A);
        EXPECT_TRUE(holds(A, [&](Index i, Index j) {
          return !belongs(uplo, i, j) ? marked_nan<T>() : i == j ? T{-1} : T{2};
        }));
      }
    }
  });
}

TYPED_TEST(Copy, LascalScalesItsPartAndClearsNaNWithAlphaZero) {
  using T = TypeParam;
  const auto f = generate::integers<T>(9);
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const Uplo uplo : parts) {
        auto A = make_matrix<T>(rt, s);
        set_directly(A, [&](Index i, Index j) { return belongs(uplo, i, j) ? f(i, j) : marked_nan<T>(); });
        lascal(rt, uplo, T{-2}, A);
        EXPECT_TRUE(holds(
            A, [&](Index i, Index j) { return belongs(uplo, i, j) ? f(i, j) * T{-2} : marked_nan<T>(); }));
        set_directly(A, [](Index, Index) { return marked_nan<T>(); });
        lascal(rt, uplo, T{0}, A);
        EXPECT_TRUE(holds(A, [&](Index i, Index j) { return belongs(uplo, i, j) ? T{} : marked_nan<T>(); }));
      }
    }
  });
}

TYPED_TEST(Copy, LasetAndLascalOfATransposedViewActOnTheViewsElements) {
  using T = TypeParam;
  T beta{3}, gamma{5};
  if constexpr (is_complex<T>) {
    beta = {3, 1};
    gamma = {5, -2};
  }
  on_each_backend([&](Runtime& rt) {
    for (const Op op : {Op::trans, Op::conj_trans}) {
      for (const Uplo uplo : parts) {
        TileMatrix<T> A(rt, 10, 7, 4);
        laset(rt, uplo, beta, gamma, view(op, A));
        lascal(rt, uplo, beta, view(op, A));
        const auto expected = [&](Index i, Index j) {
          return belongs(uplo, i, j) ? beta * (i == j ? gamma : beta) : T{};
        };
        for (Index j = 0; j < A.n(); ++j) {
          for (Index i = 0; i < A.m(); ++i) EXPECT_EQ(element(A, i, j), view<T>(op, expected)(i, j));
        }
      }
    }
  });
}

// ---- geadd, tradd -----------------------------------------------------------------------------------------

TYPED_TEST(Copy, GeaddAndTraddAddIntegersExactlyForEveryOpAndPart) {
  using T = TypeParam;
  const auto f = generate::integers<T>(10), g = generate::integers<T>(11);
  T alpha{2}, beta{-3};
  if constexpr (is_complex<T>) alpha = {2, -1};
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      for (const Op op : {Op::no_trans, Op::trans, Op::conj_trans}) {
        for (const Uplo uplo : parts) {
          auto A = op == Op::no_trans ? make_matrix<T>(rt, s) : make_matrix<T>(rt, {s.n, s.m, s.nb, s.mb});
          auto B = make_matrix<T>(rt, s), C = make_matrix<T>(rt, {s.n, s.m, s.nb, s.mb});
          set_directly(A, f);
          set_directly(B, g);
          tradd(rt, uplo, alpha, view(op, A), beta, B);
          const auto sum = [&](Index i, Index j) {
            return belongs(uplo, i, j) ? alpha * view<T>(op, f)(i, j) + beta * g(i, j) : g(i, j);
          };
          EXPECT_TRUE(holds(B, sum));
          // the transposed statement: op(C) = alpha B + beta op(C)
          if (op == Op::no_trans) continue;
          set_directly(C, g);
          tradd(rt, uplo, alpha, B, beta, view(op, C));
          for (Index j = 0; j < s.n; ++j) {
            for (Index i = 0; i < s.m; ++i) {
              const T before = view<T>(op, g)(i, j);
              const T after = op == Op::trans ? element(C, j, i) : conjugate(element(C, j, i));
              EXPECT_EQ(after, belongs(uplo, i, j) ? alpha * sum(i, j) + beta * before : before);
            }
          }
        }
      }
    }
  });
}

TYPED_TEST(Copy, GeaddReadsNeitherAForAlphaZeroNorBForBetaZero) {  // F1, F2
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 5, 5, 2), B(rt, 5, 5, 2);
    const auto nan = generate::constant(marked_nan<T>());
    set_directly(A, nan);
    set_directly(B, generate::constant(T{3}));
    geadd(rt, T{0}, A, T{2}, B);
    EXPECT_TRUE(holds(B, generate::constant(T{6})));
    geadd(rt, T{2}, B, T{0}, A);
    EXPECT_TRUE(holds(A, generate::constant(T{12})));
    set_directly(A, nan);
    set_directly(B, nan);
    geadd(rt, T{0}, A, T{0}, B);
    EXPECT_TRUE(holds(B, generate::constant(T{})));
  });
}

TYPED_TEST(Copy, GeaddNamesTheArgumentThatIsWrong) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential), other = make_runtime(BackendKind::sequential);
  TileMatrix<T> A(rt, 5, 4, 2), taller(rt, 6, 4, 2), wider(rt, 5, 5, 2), foreign(other, 5, 4, 2);
  auto mb3 = make_matrix<T>(rt, {5, 4, 3, 2}), nb3 = make_matrix<T>(rt, {5, 4, 2, 3});
  expect_argument_error("B.m()", [&] { geadd(rt, T{1}, A, T{1}, taller); });
  expect_argument_error("B.n()", [&] { geadd(rt, T{1}, A, T{1}, wider); });
  expect_argument_error("B.mb()", [&] { geadd(rt, T{1}, A, T{1}, mb3); });
  expect_argument_error("B.nb()", [&] { geadd(rt, T{1}, A, T{1}, nb3); });
  expect_argument_error("B", [&] { geadd(rt, T{1}, A, T{1}, A); });
  expect_argument_error("A", [&] { geadd(rt, T{1}, foreign, T{1}, A); });
  expect_argument_error("A", [&] { lascal(other, Uplo::General, T{1}, A); });
  expect_argument_error("A", [&] { laset(other, Uplo::General, T{1}, T{1}, A); });
}

// ---- gather, scatter --------------------------------------------------------------------------------------

TYPED_TEST(Copy, GatherAndScatterMoveAMatrixToABufferAndBackAndLeaveItsPaddingRows) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(12);
  on_each_backend([&](Runtime& rt) {
    for (const Shape& s : shapes) {
      auto A = make_matrix<T>(rt, s), B = make_matrix<T>(rt, s);
      set_directly(A, f);
      auto buffer = nan_buffer<T>(s.m, s.n, 3), transposed = nan_buffer<T>(s.n, s.m);
      gather(rt, A, buffer.data(), buffer.ld());
      gather(rt, conj_trans(A), transposed.data(), transposed.ld());
      for (Index j = 0; j < s.n; ++j) {
        for (Index i = 0; i < buffer.ld(); ++i) {
          EXPECT_TRUE(same_bits(buffer(i, j), i < s.m ? f(i, j) : marked_nan<T>()));
        }
        for (Index i = 0; i < s.m; ++i) EXPECT_TRUE(same_bits(transposed(j, i), conjugate(f(i, j))));
      }
      const auto& unchanged = buffer;
      scatter(rt, unchanged.data(), unchanged.ld(), B);
      EXPECT_TRUE(holds(B, f));
    }
  });
}

TYPED_TEST(Copy, GatherRefusesANullOrShortBufferAndAWrongRootAndTheNextCallWorks) {  // F18
  using T = TypeParam;
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 5, 3, 2);
    set_directly(A, generate::minimum<T>());
    Dense<T> buffer(5, 3);
    EXPECT_THROW(gather(rt, A, nullptr, 5), ArgumentError);
    EXPECT_THROW(gather(rt, A, buffer.data(), 4), ArgumentError);
    EXPECT_THROW(gather(rt, A, buffer.data(), 5, 1), ArgumentError);
    EXPECT_THROW(scatter(rt, buffer.data(), 4, A), ArgumentError);
    EXPECT_THROW(scatter(rt, buffer.data(), 5, A, -1), ArgumentError);
    gather(rt, A, buffer.data(), 5);
    EXPECT_TRUE(identical(buffer, Dense<T>(5, 3).set(generate::minimum<T>())));
  });
}

// ---- several at once, and what is sent --------------------------------------------------------------------

TYPED_TEST(Copy, CallsChainOnOneSequenceWithoutAWait) {
  using T = TypeParam;
  const auto f = generate::integers<T>(13);
  on_each_backend([&](Runtime& rt) {
    TileMatrix<T> A(rt, 30, 30, 4), B(rt, 30, 30, 7), C(rt, 30, 30, 7);
    Sequence sequence(rt);
    fill(sequence, A, f);
    lacpy(sequence, Uplo::General, A, B);
    laset(sequence, Uplo::General, T{1}, T{2}, C);
    for (int i = 0; i < 10; ++i) geadd(sequence, T{1}, B, T{1}, C);
    lascal(sequence, Uplo::General, T{2}, C);
    lacpy(sequence, Uplo::General, C, A);
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_TRUE(
        holds(A, [&](Index i, Index j) { return T{2} * (T{10} * f(i, j) + (i == j ? T{2} : T{1})); }));
  });
}

TEST(CopyGraph, LacpySubmitsOneTaskPerOverlapAndSendsEachTileAtMostOncePerRank) {
  Runtime rt({.backend = BackendKind::recording, .recorded_ranks = 4});
  const auto rows = std::make_shared<BlockCyclic2D>(4, 1), columns = std::make_shared<BlockCyclic2D>(1, 4);
  TileMatrix<double> A(rt, 16, 16, 4, rows), B(rt, 16, 16, 4, columns), C(rt, 16, 16, 2, rows);
  lacpy(rt, Uplo::General, A, B);
  EXPECT_EQ(rt.graph().tasks().size(), 16u);
  EXPECT_EQ(rt.graph().tiles_sent(), 12);  // all but the diagonal
  lacpy(rt, Uplo::Lower, A, B);
  EXPECT_EQ(rt.graph().tasks().size(), 16u + 10u);

  Runtime again({.backend = BackendKind::recording, .recorded_ranks = 4});
  TileMatrix<double> D(again, 16, 16, 4, rows), E(again, 16, 16, 2, rows);
  lacpy(again, Uplo::General, D, E);
  EXPECT_EQ(again.graph().tasks().size(), 64u);
  // Tile row i of D holds tile rows 2i and 2i+1 of E, on ranks 2i mod 4 and 2i+1 mod 4; its owner is rank i.
  EXPECT_EQ(again.graph().tiles_sent(), 4 * (1 + 2 + 2 + 1));
}

}  // namespace
}  // namespace tessera
