// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tessera/distributions/registry.hpp"
#include "tessera/distributions/table.hpp"
#include "tessera/error.hpp"

namespace tessera::test {
namespace {

/// A file with this content, in a directory of its own, as long as the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content, const std::string& name = "table.txt")
      : directory_(testing::TempDir() + "tessera-table-" + std::to_string(++count_)),
        path_(directory_ + "/" + name) {
    std::filesystem::create_directories(directory_);
    std::ofstream(path_) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove_all(directory_); }

  const std::string& path() const { return path_; }
  const std::string& directory() const { return directory_; }

 private:
  static inline int count_ = 0;
  std::string directory_;
  std::string path_;
};

TEST(TableDistribution, RepeatsTheTableOfAFile) {
  const TemporaryFile file("# three columns\n\n0 1 2   # the first row\n\t3 1\t2\r\n");
  const TableDistribution d(file.path());
  EXPECT_EQ(d.num_ranks(), 4);
  EXPECT_EQ(d.rows(), 2);
  EXPECT_EQ(d.columns(), 3);
  const Rank expected[2][3] = {{0, 1, 2}, {3, 1, 2}};
  for (Index i = 0; i < 8; ++i) {
    for (Index j = 0; j < 8; ++j) EXPECT_EQ(d.owner(i, j), expected[i % 2][j % 3]);
  }
  EXPECT_EQ(d.name(), "table:" + file.path());
  EXPECT_EQ(d.fitted(8, 8), nullptr);
}

TEST(TableDistribution, MayLeaveRanksWithoutTiles) {
  const TemporaryFile file("0 4");  // no end of line either
  EXPECT_EQ(TableDistribution(file.path()).num_ranks(), 5);
  EXPECT_EQ(TableDistribution(file.path(), 7).num_ranks(), 7);
}

TEST(TableDistribution, MayHaveFreeCellsOnTheDiagonalOfASymmetricTable) {
  const TemporaryFile file("# for Cholesky\n* 0 1\n0 3 5\n1 5 *\n");
  const TableDistribution d(file.path());
  EXPECT_EQ(d.num_ranks(), 6);
  EXPECT_EQ(d.owner(2, 1), 5);
  EXPECT_EQ(d.owner(1, 5), 5);
  EXPECT_EQ(d.owner(1, 1), 3);
  EXPECT_EQ(d.owner(4, 1), 3);
  EXPECT_EQ(d.cell(0, 0), Pattern::free_cell);
  EXPECT_EQ(d.colrow(0), (std::vector{0, 1}));
  EXPECT_EQ(d.owner(0, 0), 0);  // in turn
  EXPECT_EQ(d.owner(3, 0), 1);
  EXPECT_EQ(d.owner(0, 3), 1);
  ASSERT_NE(d.fitted(9, 9), nullptr);
  EXPECT_EQ(d.fitted(9, 9)->name(), d.name());
}

TEST(TableDistribution, TakesAnyFileName) {
  const TemporaryFile file("0 1\n", "my table,p=2,p=2:x.txt");
  const std::string text = "table:" + file.path();
  EXPECT_EQ(make_distribution(text)->name(), text);
  EXPECT_EQ(make_distribution(text, 2)->owner(0, 1), 1);
}

TEST(TableDistribution, NamesFileLineAndColumnOfWhatIsWrong) {
  const struct {
    const char* content;
    const char* error;
  } cases[] = {
      {"0 1\n2 x\n", "line 2, column 3: 'x' is not a rank"},
      {"0 1\n2 1.5\n", "line 2, column 3: '1.5' is not a rank"},
      {"0,1\n", "line 1, column 1: '0,1' is not a rank"},
      {"0 1\n\n  -1 1\n", "line 3, column 3: '-1' is a negative rank"},
      {"0   8\n", "line 1, column 5: '8' is not one of the 8 ranks"},
      {"0 99999999999\n", "line 1, column 3: '99999999999' is out of range"},
      {"0 1 2\n# short\n0 1\n", "line 3, column 3: '1' is the last of 2 cells, the first row has 3"},
      {"0 1\n0 1 1 1\n", "line 2, column 5: '1' is one more than the 2 cells of the first row"},
      {"", "holds no row of ranks"},
      {"# nothing\n\n", "holds no row of ranks"},
      {"*\n", "line 1, column 1: '*' is a free cell without a rank in its row and column"},
      {"0 *\n1 0\n", "line 1, column 3: '*' is a free cell beside the diagonal"},
      {"0 1\n* 0\n", "line 2, column 1: '*' is a free cell beside the diagonal"},
      {"0 1 2\n1 * 0\n",
       "line 2, column 3: '*' is a free cell, but the table is not square: 2 rows, 3 columns"},
      {"* 1\n1 *\n0 1\n",
       "line 1, column 1: '*' is a free cell, but the table is not square: 3 rows, 2 columns"},
      {"* 1 2\n1 * 3\n\n2 4 *\n",
       "line 4, column 3: '4' is not '3', as across the diagonal: a table with free cells must be symmetric"},
      {"**\n", "line 1, column 1: '**' is not a rank"},
  };
  for (const auto& [content, error] : cases) {
    const TemporaryFile file(content);
    try {
      const TableDistribution d(file.path(), 8);
      ADD_FAILURE() << "accepted: " << content;
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.what(), "table: file = " + file.path() + ": " + error);
    }
  }
}

TEST(TableDistribution, SaysThatThereIsNoFile) {
  const auto reason = [](const std::string& path) -> std::string {
    try {
      (void)make_distribution("table:" + path, 3);
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.value(), "table:" + path);
      return e.what();
    }
    return "accepted";
  };
  const TemporaryFile file("0");
  EXPECT_NE(reason(file.directory() + "/missing").find("missing: cannot be opened"), std::string::npos);
  EXPECT_NE(reason(file.directory()).find("is not a file"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
