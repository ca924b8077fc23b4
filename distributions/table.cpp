// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/table.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

namespace {

struct Word {
  std::string_view text;
  std::size_t column;  // of its first character, from 1
};

std::vector<Word> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  line = line.substr(0, line.find('#'));
  std::vector<Word> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(blanks, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back({line.substr(begin, end - begin), begin + 1});
  }
}

/// A rank, or Pattern::free_cell, and where it stands in the file.
struct Cell {
  Rank rank;
  std::string text;
  std::size_t line;
  std::size_t column;
};

/// Reads a table, checks it, and can say where in the file it is wrong.
class Reader {
 public:
  Reader(const std::string& file, std::optional<Rank> num_ranks) : file_(file), num_ranks_(num_ranks) {
    std::error_code error;
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
      fail("is not a file");
    }
    std::ifstream stream(file);
    if (!stream) fail("cannot be opened");
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) read_row(words_of(line), number);
    if (!stream.eof()) fail("cannot be read");
    if (cells_.empty()) fail("holds no row of ranks");
    if (const Cell* free = first_free_cell()) require_symmetric(*free);
  }

  Pattern pattern() const {
    Pattern::Rows rows;
    Rank largest = 0;
    for (const auto& row : cells_) {
      rows.emplace_back();
      for (const Cell& cell : row) {
        rows.back().push_back(cell.rank);
        largest = std::max(largest, cell.rank);
      }
    }
    return Pattern("table:" + file_, num_ranks_.value_or(largest + 1), rows,
                   /*symmetric=*/first_free_cell() != nullptr);
  }

 private:
  static constexpr std::size_t largest_table = 4096;  // more than any pattern, and 67 MB

  std::size_t columns() const { return cells_.front().size(); }

  const Cell* first_free_cell() const {
    for (std::size_t a = 0; a < std::min(cells_.size(), columns()); ++a) {
      if (cells_[a][a].rank == Pattern::free_cell) return &cells_[a][a];
    }
    return nullptr;
  }

  void read_row(const std::vector<Word>& words, std::size_t line) {
    if (words.empty()) return;
    auto& row = cells_.emplace_back();
    if (std::max(cells_.size(), words.size()) > largest_table) {
      fail("line " + std::to_string(line) + ": a table has at most " + std::to_string(largest_table) +
           " rows and columns");
    }
    for (const Word& word : words) {
      row.push_back({0, std::string(word.text.substr(0, 20)), line, word.column});
      if (cells_.size() > 1 && row.size() > columns()) {
        fail(row.back(), "is one more than the " + std::to_string(columns()) + " cells of the first row");
      }
      row.back().rank = rank_of(word.text, row.back());
    }
    if (row.size() < columns()) {
      fail(row.back(), "is the last of " + std::to_string(row.size()) + " cells, the first row has " +
                           std::to_string(columns()));
    }
  }

  /// \param cell  the last one of the last row
  Rank rank_of(std::string_view text, const Cell& cell) {
    if (text == "*") {
      if (cells_.back().size() != cells_.size()) fail(cell, "is a free cell beside the diagonal");
      return Pattern::free_cell;
    }
    Rank rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) fail(cell, "is not a rank");
    if (error == std::errc::result_out_of_range || rank == std::numeric_limits<Rank>::max()) {
      fail(cell, "is out of range");
    }
    if (rank < 0) fail(cell, "is a negative rank");
    if (num_ranks_ && rank >= *num_ranks_) {
      fail(cell, "is not one of the " + std::to_string(*num_ranks_) + " ranks");
    }
    return rank;
  }

  /// What a table with free cells must be.
  void require_symmetric(const Cell& free) const {
    const std::size_t rows = cells_.size();
    if (rows != columns()) {
      fail(free, "is a free cell, but the table is not square: " + std::to_string(rows) + " rows, " +
                     std::to_string(columns()) + " columns");
    }
    if (rows == 1) fail(free, "is a free cell without a rank in its row and column");
    for (std::size_t a = 0; a < rows; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (cells_[a][b].rank == cells_[b][a].rank) continue;
        fail(cells_[a][b], "is not '" + cells_[b][a].text +
                               "', as across the diagonal: a table with free cells " + "must be symmetric");
      }
    }
  }

  [[noreturn]] void fail(const Cell& cell, const std::string& reason) const {
    fail("line " + std::to_string(cell.line) + ", column " + std::to_string(cell.column) + ": '" + cell.text +
         "' " + reason);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw ArgumentError("table", "file", file_, reason);
  }

  std::string file_;
  std::optional<Rank> num_ranks_;
  std::vector<std::vector<Cell>> cells_;
};

}  // namespace

TableDistribution::TableDistribution(const std::string& file, std::optional<Rank> num_ranks)
    : Pattern(Reader(file, num_ranks).pattern()) {}

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  if (text.rest().empty()) text.fail("lacks the name of a file");
  return std::make_shared<TableDistribution>(std::string(text.rest()), num_ranks);
}

// A file is there when its user names it.
std::vector<std::string> candidates(Rank /*num_ranks*/) { return {}; }

}  // namespace

constinit const Kind kinds::table = {"table", make, candidates};

}  // namespace tessera
