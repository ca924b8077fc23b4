// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tessera/types.hpp"

/// \file
/// The tables in tests/data.

namespace tessera::test {

/// One line of a table.
class Row {
 public:
  Row(const std::vector<std::string>& columns, const std::string& line) : line_(line) {
    std::size_t begin = 0;
    for (const std::string& column : columns) {
      const bool last = &column == &columns.back();  // which may hold commas
      const std::size_t end = last ? line.size() : std::min(line.find(',', begin), line.size());
      fields_[column] = line.substr(std::min(begin, line.size()), end - begin);
      begin = end + 1;
    }
  }

  const std::string& line() const { return line_; }
  const std::string& text(const std::string& column) const { return fields_.at(column); }
  Index count(const std::string& column) const { return std::stol(text(column)); }
  double real(const std::string& column) const { return std::stod(text(column)); }

 private:
  std::string line_;
  std::map<std::string, std::string> fields_;
};

/// The rows of a table: lines of comments, one with the names of the columns, one line per row.
inline std::vector<Row> reference_rows(const std::string& name) {
  std::ifstream file(TESSERA_TEST_DATA "/" + name);
  std::vector<std::string> columns;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    if (!columns.empty()) {
      rows.emplace_back(columns, line);
      continue;
    }
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = line.find(',', begin);
      columns.push_back(line.substr(begin, end - begin));
    }
  }
  return rows;
}

}  // namespace tessera::test
