// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/bench/options.hpp"
#include "benchmarks/bench/record.hpp"

namespace tessera::bench {

/// Takes records one by one. What has been written stays well-formed when the program ends early.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  virtual void write(const Record& record) = 0;
  /// Whether everything has been written.
  virtual bool good() = 0;
};

/// All that a run prints: context and a table for people, on standard output unless a file of records is to go
/// there, and the files of records. Writes nothing on ranks other than the first.
class Output {
 public:
  /// Opens the files. \param silent  this rank is not to print or write
  /// \throws UsageError when a file cannot be opened
  Output(const Options& options, bool silent);

  void context(const std::string& line);
  void record(const Record& record);
  /// Whether the files are complete so far (a disk may be full).
  bool good() const;

 private:
  void print(std::string line);

  bool silent_;
  std::FILE* table_;
  bool with_vendor_;
  bool with_peak_;
  bool with_header_ = false;
  std::vector<std::unique_ptr<RecordWriter>> writers_;
};

}  // namespace tessera::bench
