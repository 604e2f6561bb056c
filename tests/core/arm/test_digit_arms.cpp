// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "core/arm/digit_arms.hpp"
#include "core/function/image_data.hpp"
#include "core/function/neural_network.hpp"
#include "core/random/stream.hpp"
#include "tests/support/arms.hpp"

namespace test_digit_arms {

using namespace posse;

namespace {

std::string text(std::string_view s) { return std::string(s); }

/// 2 x 2 images of three classes: one bright pixel tells the class, with noise.
std::string small_images(std::size_t count) {
  std::string csv;
  DrawEngine draws(stream_key(Seed{3}, "test", "images"), 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = draws() % 3;
    for (std::size_t pixel = 0; pixel < 4; ++pixel)
      csv += fmt::format("{},", draws() % 100 + (pixel == label ? 120 : 0));
    csv += fmt::format("{}\n", label);
  }
  return csv;
}

Eigen::MatrixXd random_inputs(Eigen::Index rows, Eigen::Index columns) {
  DrawEngine draws(stream_key(Seed{5}, "test", "inputs"), 0);
  Eigen::MatrixXd inputs(rows, columns);
  for (auto& x : inputs.reshaped()) x = draws.uniform();
  return inputs;
}

test::Given with(std::string csv, test::Given more = {}) {
  more.emplace_back("file", test::input_text(std::move(csv)));
  return more;
}

}  // namespace

TEST_CASE("a network's gradient is that of its loss, by differences, at every depth") {
  const auto inputs = random_inputs(5, 6);
  const std::vector<std::uint16_t> labels{0, 2, 1, 2, 0, 1};
  for (const auto& widths :
       std::vector<std::vector<Eigen::Index>>{{5, 3}, {5, 4, 3}, {5, 7, 4, 3}}) {
    NeuralNetwork network(widths, stream_key(Seed{1}, "network", "a"));
    Vector gradient, ignored;
    const double loss = network.loss_and_gradient(inputs, labels, gradient);
    CHECK(loss == network.loss(inputs, labels));
    REQUIRE(gradient.size() == network.parameters());
    for (Eigen::Index j = 0; j < gradient.size(); ++j) {
      const double w = network.weights()[j];
      network.weights()[j] = w + 1e-6;
      const double up = network.loss(inputs, labels);
      network.weights()[j] = w - 1e-6;
      const double down = network.loss(inputs, labels);
      network.weights()[j] = w;
      REQUIRE(gradient[j] == Approx((up - down) / 2e-6).margin(1e-8));
    }
  }
}

TEST_CASE(
    "a network with zero weights has loss log(classes), and its class is the largest output") {
  const auto inputs = random_inputs(4, 3);
  NeuralNetwork network({4, 6, 10}, stream_key(Seed{1}, "network", "a"));
  network.weights().setZero();
  const std::vector<std::uint16_t> labels{0, 9, 4};
  CHECK(network.loss(inputs, labels) == Approx(std::log(10.0)));
  CHECK(network.accuracy(inputs, labels) == Approx(1.0 / 3));  // ties: class 0
  network.weights()[network.parameters() - 10 + 9] = 1000;     // the bias of class 9
  CHECK(network.accuracy(inputs, labels) == Approx(1.0 / 3));
  CHECK(network.loss(inputs, std::vector<std::uint16_t>{9, 9, 9}) == Approx(0).margin(1e-12));
  CHECK(network.loss(inputs, std::vector<std::uint16_t>{0, 0, 0}) == Approx(1000));
}

TEST_CASE("weights start with variance 2/fan-in") {
  NeuralNetwork network({200, 100, 10}, stream_key(Seed{7}, "network", "a"));
  const double square = network.weights().head(20000).squaredNorm() / 20000;
  CHECK(square == Approx(0.01).epsilon(0.05));
  CHECK(network.weights().segment(20000, 100).isZero(0));
}

TEST_CASE(
    "Adam: with constant gradients every step is the learning rate with the gradient's sign") {
  Adam adam(3, 0.1);
  Vector weights = Vector::Zero(3), gradient(3);
  gradient << 5, -0.01, 0;
  for (int t = 1; t <= 20; ++t) {
    adam.step(gradient, weights);
    CHECK(weights[0] == Approx(-0.1 * t).epsilon(1e-6));
    CHECK(weights[1] == Approx(0.1 * t).epsilon(1e-5));
    CHECK(weights[2] == 0);
  }
  // By hand: g = 1, then -1, at rate 1: m = 0.1, -0.01; v = 0.001, 0.001999.
  Adam two(1, 1);
  Vector w = Vector::Zero(1);
  two.step(Vector::Ones(1), w);
  two.step(-Vector::Ones(1), w);
  CHECK(w[0] == Approx(-1 + (0.01 / 0.19) / std::sqrt(0.001999 / 0.001999)).epsilon(1e-6));
}

TEST_CASE("training lowers the loss, is reproducible, and differs by seed and by instance") {
  const auto family = test::family(
      "digits", with(small_images(200), {{"models", text("softmax@0.05, mlp-8@0.01")}}));
  const auto set = family->arms({Seed{1}, 1}, 50);
  REQUIRE(set->size() == 2);
  CHECK(set->arms[1].name == "mlp-8@0.01");
  CHECK_FALSE(set->arms[0].minimum);
  for (const auto& arm : set->arms) {
    const auto run = arm.start(0), again = arm.start(0), copy = arm.start(1);
    const auto other = family->arms({Seed{2}, 2}, 50)->arms[0].start(0);
    double first = 0;
    for (int k = 1; k <= 10; ++k) {
      for (auto* each : {run.get(), again.get(), copy.get(), other.get()}) each->step();
      if (k == 1) first = run->value();
      CHECK(run->value() == again->value());
      CHECK(run->value() != copy->value());
      CHECK(run->value() != other->value());
      CHECK(run->bound() == Approx(2 * first / std::sqrt(k)));
    }
    CHECK(run->value() < first);
    CHECK(run->value() < 0.3);  // log 3 = 1.1 is knowing nothing
  }
}

TEST_CASE(
    "an arm's bound is scaled by its own first loss or, if the scale is common, by the largest") {
  const auto given = with(small_images(120), {{"models", text("softmax@0.1, softmax@0.0001")}});
  auto common = given;
  common.emplace_back("scale", text("common"));
  const auto own = test::arms("digits", given, 4, 20);
  const auto shared = test::arms("digits", common, 4, 20);
  double largest = 0;
  for (const auto& arm : own->arms) {
    const auto run = arm.start(0);
    run->step();
    largest = std::max(largest, run->value());
    CHECK(run->bound() == Approx(2 * run->value()));
  }
  for (const auto& arm : shared->arms) {
    const auto run = arm.start(0);
    run->step();
    CHECK(run->bound() == Approx(2 * largest));
  }
}

TEST_CASE("digits: the header is optional, and pixels are scaled by the largest") {
  const auto plain = parse_digits("0,8,1\n16,4,0\n");
  const auto headed = parse_digits("p1,p2,label\n0,8,1\n16,4.0,0\n");
  CHECK(plain.size() == 2);
  CHECK(plain.pixels == 2);
  CHECK(plain.classes == 2);
  CHECK(plain.bytes == headed.bytes);
  CHECK(plain.labels == headed.labels);
  Vector image(2);
  plain.read(1, image);
  CHECK(image == Vector((Vector(2) << 1, 0.25).finished()));
}

TEST_CASE("CIFAR's binary records give labels and pixels in the documented order") {
  const auto record = [](std::string labels, char pixel) {
    return labels + std::string(3071, pixel) + '\x7f';
  };
  const auto ten = parse_cifar10(record("\x03", 1) + record("\x09", 2));
  CHECK(ten.labels == std::vector<std::uint16_t>{3, 9});
  CHECK(ten.classes == 10);
  CHECK(ten.pixels == 3072);
  CHECK(ten.bytes[0] == 1);
  CHECK(ten.bytes[3071] == 0x7f);
  CHECK(ten.bytes[3072] == 2);
  const auto hundred = parse_cifar100(record("\x13\x63", 1));
  CHECK(hundred.labels == std::vector<std::uint16_t>{99});
  CHECK(hundred.classes == 100);
  // Both train: pictures of two grey levels.
  std::string many;
  for (int i = 0; i < 30; ++i)
    many +=
        record(std::string(1, static_cast<char>(i % 2)), static_cast<char>(i % 2 == 0 ? 10 : 90));
  const auto set = test::arms("digits",
                              with(many,
                                   {{"data", text("cifar10")},
                                    {"models", text("softmax@0.001")},
                                    {"updates", std::int64_t{5}},
                                    {"batch", std::int64_t{8}}}),
                              1,
                              10);
  const auto run = set->arms[0].start(0);
  for (int k = 0; k < 10; ++k) run->step();
  CHECK(run->value() < 0.5);
}

TEST_CASE("truncated, malformed or compressed images are refused") {
  const auto complain = [](auto parse, const std::string& content) {
    return test::complaint([&] { parse(content); });
  };
  CHECK(complain(parse_cifar10, std::string(3000, 'x')).find("3000 bytes are not a multiple") == 0);
  CHECK(complain(parse_cifar10, std::string(2 * 3073, 'x')).find("record 1: a label is 120") == 0);
  CHECK(complain(parse_cifar100, std::string(3074, '\x15')).find("record 1: a label is 21") == 0);
  CHECK(complain(parse_cifar10, "") == "the file is empty");
  CHECK(complain(parse_cifar10, std::string(3073, '\0')) == "every pixel is 0");
  CHECK(complain(parse_digits, "\x1f\x8b\x08").find("compressed by gzip") != std::string::npos);
  CHECK(complain(parse_digits, "a,b\n") == "the file has no images");
  CHECK(complain(parse_digits, "1,2,0\n1,300,0\n").find("line 2: pixel 2 is '300'") == 0);
  CHECK(complain(parse_digits, "1,2,0\n1,2\n").find("line 2: 2 columns instead of 3") == 0);
  CHECK(complain(parse_digits, "1,2,0\n1,2,1.5\n").find("line 2: the label is '1.5'") == 0);
  CHECK(complain(parse_digits, "").find("empty") != std::string::npos);
}

TEST_CASE("models are read by name, other names are refused") {
  const auto models = parse_models("softmax@0.5, mlp-8-16", 0.01);
  REQUIRE(models.size() == 2);
  CHECK(models[0].hidden.empty());
  CHECK(models[0].learning_rate == 0.5);
  CHECK(models[1].hidden == std::vector<Eigen::Index>{8, 16});
  CHECK(models[1].learning_rate == 0.01);
  for (const auto* bad : {"cnn",
                          "mlp-",
                          "mlp-0",
                          "mlp-8-",
                          "mlp-8@0",
                          "mlp-8@x",
                          "softmax,,mlp-8",
                          "softmax, softmax"})
    CHECK_FALSE(test::complaint([&] { parse_models(bad, 0.01); }).empty());
}

}  // namespace test_digit_arms
