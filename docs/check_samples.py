#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors
"""Compiles every C++ sample of README.md and docs/*.md (syntax and types; nothing is run).

usage: check_samples.py ROOT CXX [INCLUDE_DIR...]

A fenced block that begins with ```cpp is one of
    ```cpp                 a fragment: becomes the body of a function with the variables of PREAMBLE
    ```cpp program         a whole program (or anything else that is a translation unit by itself)
    ```cpp global          declarations: they stand before the fragments that follow in the same document
    ```cpp file=PATH       a file of Tessera's tree: laid over it, so that other blocks of the document include
                           it as it would be there; a .cpp is compiled
Other languages, and ```c++, are not looked at.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PREAMBLE = """\
#include <tessera/tessera.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
using namespace tessera;
"""
FRAGMENT = """\
[[maybe_unused]] static void sample_{line}(Runtime& rt, Sequence& seq, Index n, Index nb, Index nrhs, double* a, Index lda,
                                           double* b, Index ldb, TileMatrix<double>& A, TileMatrix<double>& B,
                                           TileMatrix<double>& C) {{
"""
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
         "-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-function"]


def samples(path):
    """Yields (line number, words after ```cpp, text) of each C++ block of a document."""
    with open(path, encoding="utf-8") as lines:
        block = None
        for number, line in enumerate(lines, 1):
            if block is None:
                fence = re.match(r"\s*```(\S*)\s*(.*)$", line)
                if fence:
                    block = (number + 1, fence.group(1), fence.group(2).split(), [])
            elif line.strip() == "```":
                if block[1] == "cpp":
                    yield block[0], block[2], "".join(block[3])
                block = None
            else:
                block[3].append(line)
    if block is not None:
        raise ValueError(f"{path}: the block of line {block[0]} has no end")


def units(root, document, work):
    """Writes the translation units of a document below `work`; returns (their paths, number of samples)."""
    path = os.path.join(root, document)
    whole, fragments, count = [], [PREAMBLE], 0
    for line, words, text in samples(path):
        count += 1
        located = f'#line {line} "{path}"\n{text}'
        kind = words[0] if words else "fragment"
        if kind.startswith("file="):
            target = os.path.join(work, kind.removeprefix("file="))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)  # without #line: it would stand before #pragma once
            if target.endswith(".cpp"):
                whole.append(target)
        elif kind == "program":
            target = os.path.join(work, f"program_{line}.cpp")
            with open(target, "w", encoding="utf-8") as file:
                file.write(located)
            whole.append(target)
        elif kind == "global":
            fragments.append(located)
        elif kind == "fragment":
            fragments.append(FRAGMENT.format(line=line) + "{\n" + located + "}\n}\n")
        else:
            raise ValueError(f"{path}:{line}: unknown kind of sample '{kind}'")
    if len(fragments) > 1:
        target = os.path.join(work, "fragments.cpp")
        with open(target, "w", encoding="utf-8") as file:
            file.writelines(fragments)
        whole.append(target)
    return whole, count


def main(root, compiler, include_dirs):
    documents = ["README.md"] + sorted(f"docs/{name}" for name in os.listdir(os.path.join(root, "docs"))
                                       if name.endswith(".md"))
    with tempfile.TemporaryDirectory() as work:
        jobs, total = [], 0
        for document in documents:
            overlay = os.path.join(work, document.replace("/", "_"))
            os.mkdir(overlay)
            paths, count = units(root, document, overlay)
            total += count
            includes = [overlay, os.path.join(overlay, "include"), root, os.path.join(root, "include"), *include_dirs]
            jobs += [[compiler, *FLAGS, *(f"-I{d}" for d in includes), path] for path in paths]
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda job: subprocess.run(job, capture_output=True, text=True), jobs))
    failed = [result for result in results if result.returncode != 0]
    for result in failed:
        print(result.stderr, file=sys.stderr)
    print(f"{total} samples in {len(documents)} documents, {len(jobs)} translation units, {len(failed)} failures")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
