#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors
"""Who may include what: the directions between Tessera's rooms (docs/architecture.md).

usage: check_includes.py ROOT        check every source file below ROOT; exit status 1 and one line per violation
       check_includes.py --self-test check that this script catches what it must catch
"""

import fnmatch
import os
import re
import sys

# Names for sets of headers. <...> is a header from outside the project, everything else a path in it.
SETS = {
    "value types": [f"include/tessera/{h}.hpp" for h in ("types", "error", "tiling", "tile", "distribution")],
    "tile types": [f"include/tessera/{h}.hpp" for h in ("types", "error", "tile", "kernel", "blas", "flops")],
    "matrix types": [f"include/tessera/{h}.hpp" for h in (
        "types", "error", "tiling", "tile", "distribution", "kernel", "blas", "storage", "matrix", "runtime",
        "task_graph", "traffic")],
    "std": ["<std>"],
    "posix": ["<sys/*>", "<linux/*>", "<unistd.h>", "<fcntl.h>", "<sched.h>", "<pthread.h>", "<dlfcn.h>",
              "<link.h>", "<time.h>", "<signal.h>", "<cpuid.h>", "<malloc.h>"],
    "fmt": ["<fmt/*>"],
    "vendor": ["<cblas.h>", "<lapacke*.h>", "<openblas*>", "<mkl*>", "<cu*.h>"],
    "starpu, mpi": ["<starpu*.h>", "<mpi.h>"],
    "cuda runtime": ["<cuda*.h>"],
    "anything": ["<*>"],
}

# The first line whose pattern matches a file says what it may include. `*` also crosses directories.
# `dir/!` is the directory itself without what lies deeper.
RULES = [
    # files               may include
    ("include/*",         ["include/*", "std"]),
    ("distributions/*",   ["value types", "include/tessera/distributions/*", "distributions/*", "std", "fmt"]),
    ("kernels/cpu/*",     ["tile types", "kernels/!", "kernels/cpu/*", "std", "posix", "fmt", "vendor"]),
    ("kernels/cuda/*",    ["tile types", "kernels/!", "kernels/cuda/*", "std", "posix", "fmt", "vendor"]),
    ("kernels/*",         ["tile types", "kernels/!", "std", "fmt"]),
    ("runtime/starpu/*",  ["matrix types", "runtime/*", "std", "posix", "fmt", "<hwloc*>", "starpu, mpi", "cuda runtime"]),
    ("runtime/*",         ["matrix types", "runtime/*", "std", "posix", "fmt", "<hwloc*>"]),
    ("src/*",             ["include/*", "src/*", "kernels/!", "runtime/!", "std", "posix", "fmt"]),
    ("examples/*",        ["include/*", "examples/*", "anything"]),
    ("tests/*",           ["include/*", "src/*", "kernels/*", "runtime/*", "distributions/*", "benchmarks/*", "tests/*",
                           "anything"]),
    ("benchmarks/*",      ["include/*", "src/*", "kernels/*", "runtime/*", "distributions/*", "benchmarks/*", "anything"]),
]

ROOMS = sorted({pattern.split("/")[0] for pattern, _ in RULES})
SUFFIXES = (".hpp", ".h", ".cpp", ".cc", ".cu", ".cuh", ".inl")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def matches(path, pattern):
    if pattern == "<std>":
        return re.fullmatch(r"<[a-z_]+>", path) is not None
    if pattern.endswith("/!"):
        return os.path.dirname(path) == pattern[:-2]
    return fnmatch.fnmatchcase(path, pattern)


def target(file, quote, name, exists):
    """The header that `file` includes: a path in the project, or <name>."""
    if quote == '"':
        beside = os.path.normpath(os.path.join(os.path.dirname(file), name))
        if exists(beside):
            return beside
    if name.split("/")[0] == "tessera":
        return "include/" + name
    if name.split("/")[0] in ROOMS:
        return name
    return f"<{name}>"


def violation(file, quote, name, exists):
    """None, or what is wrong with this include."""
    header = target(file, quote, name, exists)
    for pattern, allowed in RULES:
        if not matches(file, pattern):
            continue
        for entry in allowed:
            if any(matches(header, p) for p in SETS.get(entry, [entry])):
                return None
        return f"includes {header}, but {pattern} may only include: {', '.join(allowed)}"
    return f"no rule for {file}"


def check(root):
    count, bad = 0, []
    for room in ROOMS:
        for directory, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if not name.endswith(SUFFIXES):
                    continue
                path = os.path.join(directory, name)
                file = os.path.relpath(path, root)
                count += 1
                with open(path, encoding="utf-8") as lines:
                    for number, line in enumerate(lines, 1):
                        include = INCLUDE.match(line)
                        if include:
                            wrong = violation(file, *include.groups(),
                                              lambda p: os.path.isfile(os.path.join(root, p)))
                            if wrong:
                                bad.append(f"{file}:{number}: {wrong}")
    print("\n".join(bad) if bad else f"include directions: {count} files, all right")
    return 1 if bad else 0


def self_test():
    right = [
        ("include/tessera/matrix.hpp", "<vector>"), ("include/tessera/matrix.hpp", '"tessera/tile.hpp"'),
        ("distributions/sbc.cpp", '"tessera/distributions/sbc.hpp"'), ("distributions/sbc.cpp", "<fmt/format.h>"),
        ("kernels/cpu/gemm.cpp", "<cblas.h>"), ("kernels/cpu/gemm.cpp", '"kernels/gemm.hpp"'),
        ("kernels/cuda/gemm.cpp", "<cublas_v2.h>"), ("kernels/gemm.hpp", '"flops.hpp"'),
        ("runtime/starpu/backend.cpp", "<starpu_mpi.h>"), ("runtime/starpu/backend.cpp", '"runtime/backend.hpp"'),
        ("runtime/session.cpp", "<hwloc.h>"), ("src/algorithms/cholesky.cpp", '"kernels/potrf.hpp"'),
        ("src/matrix.cpp", '"runtime/backend.hpp"'), ("tests/x_test.cpp", "<starpu.h>"),
        ("examples/01_first_matrix.cpp", "<tessera/tessera.hpp>"), ("benchmarks/bench.cpp", "<CLI/CLI.hpp>"),
    ]
    wrong = [
        ("include/tessera/matrix.hpp", "<starpu.h>"), ("include/tessera/matrix.hpp", "<fmt/format.h>"),
        ("include/tessera/matrix.hpp", '"runtime/backend.hpp"'), ("include/tessera/runtime.hpp", "<mpi.h>"),
        ("distributions/sbc.cpp", '"tessera/matrix.hpp"'), ("distributions/sbc.cpp", '"kernels/gemm.hpp"'),
        ("kernels/cpu/gemm.cpp", "<starpu.h>"), ("kernels/cpu/gemm.cpp", '"tessera/distribution.hpp"'),
        ("kernels/gemm.hpp", "<cblas.h>"), ("kernels/gemm.hpp", '"kernels/cpu/blas.hpp"'),
        ("runtime/session.cpp", "<starpu.h>"), ("runtime/recording/graph.cpp", "<mpi.h>"),
        ("runtime/starpu/backend.cpp", "<cblas.h>"), ("runtime/starpu/backend.cpp", '"kernels/gemm.hpp"'),
        ("src/algorithms/cholesky.cpp", "<mpi.h>"), ("src/algorithms/cholesky.cpp", "<lapacke.h>"),
        ("src/algorithms/cholesky.cpp", '"kernels/cpu/blas.hpp"'),
        ("src/algorithms/cholesky.cpp", '"runtime/starpu/backend.hpp"'),
        ("examples/01_first_matrix.cpp", '"src/matrix_detail.hpp"'),
    ]
    files = {"kernels/flops.hpp"}
    failures = 0
    for cases, expect_wrong in ((right, False), (wrong, True)):
        for file, text in cases:
            quote, name = INCLUDE.match("#include " + text).groups()
            if (violation(file, quote, name, files.__contains__) is not None) != expect_wrong:
                failures += 1
                print(f"self-test: {file} including {text} should be {'refused' if expect_wrong else 'accepted'}")
    print(f"include directions: self-test, {len(right) + len(wrong)} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(self_test() if sys.argv[1] == "--self-test" else check(sys.argv[1]))
