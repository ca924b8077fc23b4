// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

/// \file
/// Everything a program needs.

#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/algorithms/norm.hpp"
#include "tessera/algorithms/redistribute.hpp"
#include "tessera/blas.hpp"
#include "tessera/distribution.hpp"
#include "tessera/distributions/block_cyclic_1d.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/function.hpp"
#include "tessera/distributions/gcrm.hpp"
#include "tessera/distributions/generalized_2d.hpp"
#include "tessera/distributions/pattern.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/distributions/single_owner.hpp"
#include "tessera/distributions/symmetric_block_cyclic.hpp"
#include "tessera/distributions/table.hpp"
#include "tessera/distributions/triangle_block_cyclic.hpp"
#include "tessera/error.hpp"
#include "tessera/flops.hpp"
#include "tessera/generators.hpp"
#include "tessera/matrix.hpp"
#include "tessera/plan.hpp"
#include "tessera/runtime.hpp"
#include "tessera/task_graph.hpp"
#include "tessera/tile.hpp"
#include "tessera/tiling.hpp"
#include "tessera/traffic.hpp"
#include "tessera/types.hpp"
#include "tessera/version.hpp"
