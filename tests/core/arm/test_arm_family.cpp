// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/arm/arm_family.hpp"
#include "tests/support/arms.hpp"

namespace test_arm_family {

using namespace posse;

TEST_CASE("every family of arms is found by its name and describes its parameters") {
  std::set<std::string_view> kinds;
  for (const auto& spec : arm_family_specs()) {
    INFO(spec.kind);
    CHECK(kinds.insert(spec.kind).second);
    CHECK(find_arm_family(spec.kind) == &spec);
    CHECK_FALSE(spec.summary.empty());
    CHECK_FALSE(spec.source.empty());
    std::set<std::string_view> names;
    for (const auto& parameter : spec.parameters) {
      INFO(parameter.name);
      CHECK(names.insert(parameter.name).second);
      CHECK_FALSE(parameter.help.empty());
      if (!parameter.choices.empty() && parameter.default_value.index() != 0)
        CHECK(std::count(parameter.choices.begin(),
                         parameter.choices.end(),
                         std::get<std::string>(parameter.default_value)) == 1);
    }
  }
  CHECK(kinds.size() == 7);
  CHECK(find_arm_family("nothing") == nullptr);
}

TEST_CASE(
    "arms of a repetition depend on its seed alone, and instances can be started at any time") {
  const test::Given images{{"file", test::input_text("9,1,0\n1,9,1\n8,2,0\n2,8,1\n9,0,0\n")},
                           {"batch", std::int64_t{2}},
                           {"models", std::string("softmax, mlp-3")}};
  const test::Given table{{"file", test::input_text("a,b,y\n1,2,1\n2,1,0\n0,1,1\n")},
                          {"noise", std::string("gaussian")},
                          {"optimizers", std::string("ac-sa, ac-sa")},
                          {"set", std::string("box")}};
  const test::Given curves{{"file", test::input_text("arm,loss\na,3\na,2\nb,2\nb,1\n")},
                           {"past_end", std::string("hold")}};
  for (const auto& spec : arm_family_specs()) {
    INFO(spec.kind);
    test::Given given;
    if (spec.kind == "digits") given = images;
    if (spec.kind == "curves") given = curves;
    if (spec.kind == "functions") given = table;
    const auto family = test::family(spec.kind, given);
    const auto first = family->arms({Seed{7}, 7}, 30), again = family->arms({Seed{7}, 7}, 30);
    REQUIRE(first->size() == family->size());
    CHECK(first->budget == 30);
    std::set<std::string> names;
    for (std::size_t i = 0; i < first->size(); ++i) {
      CHECK(names.insert(first->arms[i].name).second);
      CHECK(first->arms[i].name == again->arms[i].name);
      CHECK(first->arms[i].minimum == again->arms[i].minimum);
      if (first->arms[i].reward) {
        CHECK_FALSE(first->arms[i].start);
        const double later = again->arms[i].reward(3);
        CHECK(first->arms[i].reward(0) == again->arms[i].reward(0));
        CHECK(first->arms[i].reward(3) == later);
        continue;
      }
      const auto one = first->arms[i].start(0);
      const auto other_copy = again->arms[i].start(1);  // runs in between change nothing
      other_copy->step();
      const auto two = again->arms[i].start(0);
      CHECK(one->steps() == 0);
      for (int k = 0; k < 5; ++k) {
        one->step();
        two->step();
        CHECK(one->value() == two->value());
        CHECK(one->bound() == two->bound());
        CHECK(std::isfinite(one->value()));
      }
    }
  }
}

}  // namespace test_arm_family
