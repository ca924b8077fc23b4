// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera::test {

/// A program as a user sees it: run through the shell, in a directory of the test's own.
class ProgramTest : public testing::Test {
 protected:
  struct Result {
    int status;
    std::string out;
    std::string err;
  };

  explicit ProgramTest(std::string program) : program_(std::move(program)) {
    std::string name = testing::TempDir() + "tessera-program-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = name;
  }
  ~ProgramTest() override { std::filesystem::remove_all(directory_); }

  /// A file in the test's directory.
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  Result run(const std::string& arguments, const std::string& launcher = "") const {
    const std::string command =
        launcher + " " + program_ + " " + arguments + " >" + path("out") + " 2>" + path("err");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(path("out")), read_file(path("err"))};
  }

  static std::string read_file(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

 private:
  std::string program_;
  std::filesystem::path directory_;
};

}  // namespace tessera::test
