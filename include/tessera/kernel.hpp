// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// What a kernel is, and how any kernel is handed to any backend.
///
/// A kernel is a small copyable struct: its scalar arguments as members, and
///
///     static constexpr std::string_view name = "scale";      // without the type letter
///     void cpu(Tile<const T> a, Tile<T> b) const;             // or Index: 0, or the global 1-based index
///                                                             // of the pivot that failed
///     double flops(Tile<const T> a, Tile<T> b) const;         // optional: real flops, for rates and planning
///
/// The constness of a tile parameter is its access mode: `Tile<const T>` is read, `Tile<T>` is read and
/// written, `OutTile<T>` is overwritten without being read. Nothing else has to be declared or registered.

namespace tessera {

/// No task has more tiles than this (the limit of Debian's StarPU).
inline constexpr int max_tiles_per_task = 8;

/// How a task uses a tile.
enum class Access : char { read = 'R', write = 'W', read_write = 'U' };

/// A tile whose element type has been forgotten: what backends pass around.
struct TileBuffer {
  void* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 1;
};

/// What a backend needs to know of a kernel type; one constant per type.
struct KernelInfo {
  std::string_view name;           ///< "gemm", "potrf", ...
  char type;                       ///< s d c z, or '-' for other element types
  std::span<const Access> access;  ///< one per tile parameter
};

/// A kernel whose type has been forgotten. Made on the stack of submit(); a backend that runs the task later
/// clones it.
class TaskBody {
 public:
  virtual ~TaskBody() = default;
  virtual const KernelInfo& info() const noexcept = 0;
  virtual double flops(const TileBuffer* shapes) const = 0;
  /// \returns 0, or the positive global index of the pivot that failed
  virtual Index run(const TileBuffer* tiles) const = 0;
  virtual std::unique_ptr<TaskBody> clone() const = 0;
};

/// Options of one task. Larger priorities run first; `step` is the step of the algorithm, from which a layered
/// distribution takes the executor (without one the owner runs it); `executor` is the rank that runs it, wherever the
/// tiles that it writes have their owners.
struct TaskOptions {
  int priority = 0;
  std::optional<Index> step = {};
  std::optional<Rank> executor = {};
};

namespace detail {

template <class Parameter>
struct TileParameter;  // undefined: kernel parameters are Tile<T>, Tile<const T> or OutTile<T>, by value
template <class T>
struct TileParameter<Tile<T>> {
  using element = std::remove_const_t<T>;
  static constexpr Access access = std::is_const_v<T> ? Access::read : Access::read_write;
  static Tile<T> make(const TileBuffer& b) { return {static_cast<T*>(b.data), b.rows, b.cols, b.ld}; }
};
template <class T>
struct TileParameter<OutTile<T>> {
  using element = T;
  static constexpr Access access = Access::write;
  static OutTile<T> make(const TileBuffer& b) { return {{static_cast<T*>(b.data), b.rows, b.cols, b.ld}}; }
};

template <class T>
constexpr char letter_of() {
  if constexpr (Scalar<T>) {
    return type_letter<T>;
  } else {
    return '-';
  }
}

/// Everything that is derived from the signature of `cpu`.
template <class Signature>
struct KernelSignature;
template <class K, class R, class First, class... Rest>
struct KernelSignature<R (K::*)(First, Rest...) const> {
  static constexpr Access access[] = {TileParameter<First>::access, TileParameter<Rest>::access...};
  static constexpr char type = letter_of<typename TileParameter<First>::element>();
  static constexpr bool reports = !std::is_void_v<R>;

  /// Whether tiles of these element types fit the parameters.
  template <class... Elements>
  static constexpr bool accepts =
      std::is_same_v<std::tuple<Elements...>, std::tuple<typename TileParameter<First>::element,
                                                         typename TileParameter<Rest>::element...>>;

  /// call(f, tiles) is f(first, rest...), with the buffers given their types back.
  template <class F>
  static auto call(F&& f, const TileBuffer* tiles) {
    return [&]<std::size_t... p>(std::index_sequence<p...>) {
      return f(TileParameter<First>::make(tiles[0]), TileParameter<Rest>::make(tiles[p + 1])...);
    }
    (std::index_sequence_for<Rest...>{});
  }
};

template <class K, class R, class First, class... Rest>
struct KernelSignature<R (K::*)(First, Rest...) const noexcept>
    : KernelSignature<R (K::*)(First, Rest...) const> {};

}  // namespace detail

/// A struct that can be submitted as a task.
template <class K>
concept Kernel = std::copy_constructible<K> && requires {
  { K::name } -> std::convertible_to<std::string_view>;
  detail::KernelSignature<decltype(&K::cpu)>::access;
};

namespace detail {

/// The one template that turns any kernel struct into what backends run, count and record.
template <Kernel K>
class KernelBody final : public TaskBody {
 public:
  explicit KernelBody(const K& kernel) : kernel_(kernel) {}

  const KernelInfo& info() const noexcept override {
    static constexpr KernelInfo info{K::name, Signature::type, Signature::access};
    return info;
  }

  double flops(const TileBuffer* shapes) const override {
    if constexpr (requires { &K::flops; }) {
      return Signature::call([&](auto... tiles) { return kernel_.flops(tiles...); }, shapes);
    } else {
      return 0;
    }
  }

  Index run(const TileBuffer* tiles) const override {
    const auto kernel = [&](auto... t) { return kernel_.cpu(t...); };
    if constexpr (Signature::reports) {
      return Signature::call(kernel, tiles);
    } else {
      Signature::call(kernel, tiles);
      return 0;
    }
  }

  std::unique_ptr<TaskBody> clone() const override { return std::make_unique<KernelBody>(kernel_); }

 private:
  using Signature = KernelSignature<decltype(&K::cpu)>;
  K kernel_;
};

/// The struct that Overwriting names. `Before` holds the parameters before those that follow it.
template <class K, class Before, class... After>
struct OverwritingLast;
template <class K, class... Before, class Next, class After, class... Rest>
struct OverwritingLast<K, std::tuple<Before...>, Next, After, Rest...>
    : std::type_identity<typename OverwritingLast<K, std::tuple<Before..., Next>, After, Rest...>::type> {};
template <class K, class... Before, class T>
struct OverwritingLast<K, std::tuple<Before...>, Tile<T>> {
  struct type {
    static constexpr std::string_view name = K::name;
    K kernel;
    void cpu(Before... tiles, OutTile<T> last) const { kernel.cpu(tiles..., last); }
    double flops(Before... tiles, OutTile<T> last) const {
      if constexpr (requires { &K::flops; }) {
        return kernel.flops(tiles..., last);
      } else {
        return 0;
      }
    }
  };
};

template <class K, class Signature = decltype(&K::cpu)>
struct OverwritingOf;
template <class K, class... Parameters>
struct OverwritingOf<K, void (K::*)(Parameters...) const> : OverwritingLast<K, std::tuple<>, Parameters...> {
};

/// A kernel that reads and writes its last tile as one that overwrites it: for calls whose member `kernel` does not
/// read what that tile held, such as C = f(...) + beta C with beta = 0.
template <class K>
using Overwriting = typename OverwritingOf<K>::type;

/// The part of its last tile that a kernel writes: what it says by `Uplo written() const`, or all.
template <class K>
Uplo written_part(const K& kernel) {
  if constexpr (requires { kernel.written(); }) {
    return kernel.written();
  } else {
    return Uplo::General;
  }
}

/// sum = sum + part, in the part that the kernels write which have made `part`.
template <class T>
struct Join {
  static constexpr std::string_view name = "join";
  Uplo written;
  void cpu(Tile<const T> part, Tile<T> sum) const {
    for (Index j = 0; j < sum.cols; ++j) {
      const Index first = written == Uplo::Lower ? j : 0;
      const Index last = written == Uplo::Upper ? std::min(j + 1, sum.rows) : sum.rows;
      for (Index i = first; i < last; ++i) sum(i, j) += part(i, j);
    }
  }
  double flops(Tile<const T> /*part*/, Tile<T> sum) const {
    return static_cast<double>(sum.rows) * static_cast<double>(sum.cols) * (is_complex<T> ? 2 : 1);
  }
};

}  // namespace detail
}  // namespace tessera
