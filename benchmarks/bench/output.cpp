// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

namespace tessera::bench {
namespace {

/// A file, or standard output for "-".
class Stream {
 public:
  Stream(std::string_view option, const std::string& path) {
    if (path == "-") return;
    file_.open(path);
    if (!file_)
      throw UsageError(fmt::format("{}: '{}' cannot be written: {}", option, path, std::strerror(errno)));
  }
  std::ostream& get() { return file_.is_open() ? file_ : std::cout; }

 private:
  std::ofstream file_;
};

/// One array of objects.
class JsonWriter final : public RecordWriter {
 public:
  explicit JsonWriter(const std::string& path) : stream_("--json", path) { stream_.get() << "["; }
  ~JsonWriter() override { stream_.get() << "\n]" << std::endl; }

  void write(const Record& record) override {
    stream_.get() << (first_ ? "\n  " : ",\n  ") << to_json(record).dump() << std::flush;
    first_ = false;
  }
  bool good() override { return stream_.get().good(); }

 private:
  Stream stream_;
  bool first_ = true;
};

/// A line of keys, then one line per record (RFC 4180); what is null is empty.
class CsvWriter final : public RecordWriter {
 public:
  explicit CsvWriter(const std::string& path) : stream_("--csv", path) {
    write_line(Record{}, [](const auto& item) { return item.key(); });
  }

  void write(const Record& record) override {
    write_line(record, [](const auto& item) { return to_text(item.value()); });
  }
  bool good() override { return stream_.get().good(); }

 private:
  template <class Field>
  void write_line(const Record& record, Field field) {
    const auto fields = to_json(record);
    std::string line;
    for (const auto& item : fields.items()) line += (line.empty() ? "" : ",") + field(item);
    stream_.get() << line << std::endl;
  }
  static std::string to_text(const nlohmann::ordered_json& value) {
    if (value.is_null()) return {};
    if (!value.is_string()) return value.dump();
    const auto& text = value.get_ref<const std::string&>();
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
  }

  Stream stream_;
};

std::string optional_number(const char* format, const std::optional<double>& x) {
  return x ? fmt::format(fmt::runtime(format), *x) : "-";
}

}  // namespace

Output::Output(const Options& options, bool silent)
    : silent_(silent),
      table_(options.stdout_is_taken() ? stderr : stdout),
      with_vendor_(options.vendor),
      with_peak_(options.peak) {
  if (silent_) return;
  if (!options.json.empty()) writers_.push_back(std::make_unique<JsonWriter>(options.json));
  if (!options.csv.empty()) writers_.push_back(std::make_unique<CsvWriter>(options.csv));
}

bool Output::good() const {
  return std::ranges::all_of(writers_, [](const auto& writer) { return writer->good(); });
}

void Output::print(std::string line) {
  if (silent_) return;
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print(table_, "{}\n", line);
  std::fflush(table_);
}

void Output::context(const std::string& line) { print("# " + line); }

void Output::record(const Record& r) {
  if (!std::exchange(with_header_, true)) {
    std::string header = fmt::format(
        "{:<6} {:>1} {:>1} {:>7} {:>7} {:>6} {:>5} {:<24} {:>3} {:>9} {:>9} {:>9} {:>9} {:>5} {:<9}", "op",
        "t", "u", "m", "n", "k", "nb", "dist", "rep", "submit_s", "time_s", "Gflop/s", "residual", "info",
        "status");
    if (with_vendor_) header += fmt::format(" {:>9} {:>9} {:>6}", "vendor_s", "Gflop/s", "ratio");
    if (with_peak_) header += fmt::format(" {:>9} {:>6}", "gemm/core", "share");
    if (r.ranks > 1)
      header += fmt::format(" {:>9} {:>12} {:>12} {:>6}", "sent", "bytes", "max/rank", "agrees");
    print(header);
  }
  const auto k = r.shape.k ? std::optional(static_cast<double>(*r.shape.k)) : std::nullopt;
  std::string row = fmt::format(
      "{:<6} {:>1} {:>1} {:>7} {:>7} {:>6} {:>5} {:<24} {:>3} {:>9.4f} {:>9.4f} {:>9.2f} {:>9} {:>5} {:<9}",
      r.operation, r.type, static_cast<char>(r.uplo), r.shape.m, r.shape.n, optional_number("{:.0f}", k),
      r.nb, r.distribution, r.repetition, r.submit_s, r.time_s, r.gflops(),
      optional_number("{:.2e}", r.residual), r.info, r.status());
  if (with_vendor_) {
    row += fmt::format(" {:>9} {:>9} {:>6}", optional_number("{:.4f}", r.vendor_time_s),
                       optional_number("{:.2f}", r.vendor_gflops()),
                       optional_number("{:.2f}", r.vendor_time_s ? std::optional(*r.vendor_time_s / r.time_s)
                                                                 : std::nullopt));
  }
  if (with_peak_) {
    row += fmt::format(" {:>9} {:>6}", optional_number("{:.2f}", r.gemm_gflops_per_core),
                       optional_number("{:.2f}", r.peak_share()));
  }
  if (r.ranks > 1 && r.communication) {
    const Communication& c = *r.communication;
    row += fmt::format(" {:>9} {:>12} {:>12} {:>6}", c.tiles(), c.bytes(), c.max_rank_bytes(),
                       !c.transport_bytes                ? "-"
                       : *c.transport_bytes == c.bytes() ? "yes"
                                                         : "NO");
  }
  print(row);
  if (r.ranks > 1 && r.communication) {
    context(fmt::format("tiles sent by rank: {}", fmt::join(r.communication->rank_tiles, " ")));
    context(fmt::format("bytes sent by rank: {}", fmt::join(r.communication->rank_bytes, " ")));
  }
  for (const auto& writer : writers_) writer->write(r);
}

}  // namespace tessera::bench
