// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// The same tests on several ranks: all of them are collective.
#include "tests/check_test.cpp"
