// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// Gaussian-process interpolation (kriging) of the depths of earthquakes: dense Cholesky at work in
// statistics.
//
// usage: 07_gaussian_process FILE
//
// FILE is a CSV table with a header; columns `lat` and `long` (degrees) say where, `depth` (km) what is
// interpolated. R has such a table: write.csv(datasets::quakes, "quakes.csv", row.names = FALSE). Without a
// column `depth` a smooth function of the place is taken. The exit status is non-zero when a check fails.
//
// Model: depth = mean + f(place) + noise, f a Gaussian process with Matern covariance (smoothness 3/2), so
// that the observations have covariance K = s^2 (M + t I). K is factored for several correlation lengths; the
// most likely one predicts every tenth event, which was held out. Source: Rasmussen and Williams, Gaussian
// Processes for Machine Learning (2006), algorithm 2.1.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numbers>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace tessera;

struct Event {
  double x, y, z;  // on the unit sphere
  double depth;    // km
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) {
    std::erase_if(field, [](char c) { return c == '"' || c == '\r'; });
    fields.push_back(field);
  }
  return fields;
}

double number(const std::string& text) {
  std::size_t end = 0;
  try {
    const double value = std::stod(text, &end);
    if (end == text.size()) return value;
  } catch (const std::logic_error&) {  // what stod throws says nothing
  }
  throw std::runtime_error("'" + text + "' is not a number");
}

std::vector<Event> read_events(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) throw std::runtime_error("cannot read " + file);
  const auto header = split(line);
  const auto column = [&](const char* name) { return std::ranges::find(header, name) - header.begin(); };
  const auto lat = column("lat"), lon = column("long"), depth = column("depth");
  const auto columns = std::ssize(header);
  if (lat == columns || lon == columns) throw std::runtime_error(file + " has no columns lat and long");

  std::vector<Event> events;
  while (std::getline(in, line)) {
    const auto fields = split(line);
    if (std::ssize(fields) != columns)
      throw std::runtime_error(file + ": a line has another number of columns");
    const double phi = number(fields[lat]) * std::numbers::pi / 180;
    const double lambda = number(fields[lon]) * std::numbers::pi / 180;
    events.push_back(
        {std::cos(phi) * std::cos(lambda), std::cos(phi) * std::sin(lambda), std::sin(phi),
         depth < columns ? number(fields[depth]) : 300 + 200 * std::sin(2 * phi) * std::cos(lambda)});
  }
  return events;
}

// Correlation of two places. The distance is that of the chord, for which Matern's functions are positive
// definite.
double matern(const Event& a, const Event& b, double length_km) {
  constexpr double earth_radius_km = 6371;
  const double chord = earth_radius_km * std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  const double d = std::numbers::sqrt3 * chord / length_km;
  return (1 + d) * std::exp(-d);
}

// The model for one correlation length, factored: K = M + nugget I (in units of the signal's variance s^2).
struct Fit {
  double length_km;
  double log_likelihood;
  double residual;              // of the solve, in the units of LAPACK's test
  double seconds;               // for the factorisation and the solve
  std::vector<double> weights;  // K^-1 y, on rank 0
};

Fit fit(Runtime& rt, const std::vector<Event>& events, const std::vector<double>& y, double length_km,
        double nugget) {
  const auto n = std::ssize(events);
  TileMatrix<double> K(rt, n, n), L(rt, n, n), Y(rt, n, 1), W(rt, n, 1);
  fill(rt, Uplo::Lower, K,
       [&](Index i, Index j) { return matern(events[i], events[j], length_km) + (i == j ? nugget : 0); });
  fill(rt, Y, [&](Index i, Index) { return y[i]; });
  lacpy(rt, Uplo::Lower, K, L);
  lacpy(rt, Uplo::General, Y, W);

  const auto start = std::chrono::steady_clock::now();
  const Info info = posv(rt, Uplo::Lower, L, W);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!info.ok()) throw std::runtime_error("K is not positive definite; a larger nugget helps");

  std::vector<double> weights(n);
  gather(rt, W, weights.data(), n);  // zeros remain on ranks other than 0, so that the sum over the ranks is
  double y_K_y = std::inner_product(y.begin(), y.end(), weights.begin(), 0.0);  // y^T K^-1 y on every rank
  rt.all_sum({&y_K_y, 1});
  // The variance s^2 that makes the data most likely is y^T K^-1 y / n; with it the logarithm of the
  // likelihood is
  const auto size = static_cast<double>(n);
  const double log_likelihood =
      -(size * (std::log(2 * std::numbers::pi * y_K_y / size) + 1) + logdet(rt, L)) / 2;
  return {length_km, log_likelihood, solve_residual(rt, Uplo::Lower, K, W, Y), seconds, std::move(weights)};
}

int run_on(const std::string& file) {
  Runtime rt;
  std::vector<Event> training, held_out;
  for (const auto& event : read_events(file)) {
    ((training.size() + held_out.size()) % 10 == 9 ? held_out : training).push_back(event);
  }
  const auto n = std::ssize(training);
  if (held_out.empty()) throw std::runtime_error(file + " has fewer than 10 rows");
  double mean = 0;
  for (const auto& event : training) mean += event.depth / static_cast<double>(n);
  std::vector<double> y;
  for (const auto& event : training) y.push_back(event.depth - mean);

  constexpr double nugget = 0.05;
  Fit best{};
  for (const double length_km : {50., 100., 200., 400., 800.}) {
    Fit f = fit(rt, training, y, length_km, nugget);
    if (rt.rank() == 0)
      std::cout << "length " << length_km << " km: log-likelihood " << f.log_likelihood << '\n';
    if (best.weights.empty() || f.log_likelihood > best.log_likelihood) best = std::move(f);
  }
  if (rt.rank() != 0) return EXIT_SUCCESS;

  double squares = 0, squares_of_mean = 0;
  for (const auto& event : held_out) {
    double prediction = mean;
    for (std::size_t i = 0; i < training.size(); ++i) {
      prediction += best.weights[i] * matern(training[i], event, best.length_km);
    }
    squares += std::pow(prediction - event.depth, 2);
    squares_of_mean += std::pow(mean - event.depth, 2);
  }
  const auto rmse = [&](double sum) { return std::sqrt(sum / static_cast<double>(held_out.size())); };

  const bool solved = best.residual < residual_threshold;  // false for NaN, too
  const bool useful = squares < squares_of_mean;
  const double operations = flops::potrf<double>(n) + flops::potrs<double>(n, 1);
  std::cout << "n = " << n << ", " << held_out.size() << " held out\n"
            << "# posv: " << best.seconds << " s, " << operations / best.seconds / 1e9
            << " Gflop/s, residual " << best.residual << '\n'
            << "residual < " << residual_threshold << ": " << (solved ? "yes" : "NO") << '\n'
            << "most likely length " << best.length_km << " km, log-likelihood " << best.log_likelihood
            << '\n'
            << "root mean square error " << rmse(squares) << " km; of the mean as predictor "
            << rmse(squares_of_mean) << " km" << (useful ? "" : ": NOT BETTER") << '\n';
  return solved && useful ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
  restart_with_best_blas_kernel(argv);
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " FILE\n";
    return 2;
  }
  try {
    return run_on(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
