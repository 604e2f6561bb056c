// SPDX-License-Identifier: Apache-2.0
// Tables and their views.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "program/base/data_table.hpp"
#include "program/base/table_json.hpp"

namespace test_data_table {

using namespace posse;

namespace {

struct Point {
  std::string name;
  std::uint32_t round = 0;
  Time at;
  std::optional<double> value;
  bool kept = false;
};

DataTable points(std::vector<Point> all) {
  ColumnsOf<Point> columns;
  columns.add("name", &Point::name)
      .add("round", &Point::round)
      .add("virtual_s", &Point::at)
      .add("value", &Point::value)
      .add("kept", &Point::kept)
      .add("word", [](const Point& point) { return point.kept ? "kept" : "lost"; });
  return columns.table([all = std::move(all)](const auto& use) {
    for (const auto& point : all) use(point);
  });
}

const double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("the type of a column is that of its values, with or without a value") {
  const auto table = points({});
  std::vector<ColumnType> types;
  for (const auto& column : table.columns()) types.push_back(column.type);
  CHECK(types == std::vector<ColumnType>{ColumnType::text,
                                         ColumnType::count,
                                         ColumnType::real,
                                         ColumnType::real,
                                         ColumnType::flag,
                                         ColumnType::text});
}

TEST_CASE("a table's CSV has shortest numbers, quotes where needed, and 1 or 0 for flags") {
  CHECK(csv_text(points({{"a", 1, Time{1'500'000'000}, 0.1, true}, {"b,c", 2, {}, {}, false}})) ==
        "name,round,virtual_s,value,kept,word\na,1,1.5,0.1,1,kept\n\"b,c\",2,0,,0,lost\n");
  CHECK(csv_text(points({})) == "name,round,virtual_s,value,kept,word\n");
}

TEST_CASE("what stands in a CSV cell reads back as it was, and nothing else does") {
  const auto table =
      points({{"x", 4'000'000'000, Time{1}, -1.0 / 3, true}, {"", 0, {}, {}, false}});
  table.each([&](const TableRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      CHECK(datum_in(datum_text(row[i]), table.columns()[i].type) == row[i]);
  });
  CHECK(!datum_in("1.5", ColumnType::count));
  CHECK(!datum_in("-1", ColumnType::count));
  CHECK(!datum_in("2", ColumnType::flag));
  CHECK(!datum_in("true", ColumnType::flag));
  CHECK(!datum_in("1 s", ColumnType::real));
  CHECK(datum_in("inf", ColumnType::real) == Datum(kInfinity));
}

TEST_CASE("a long table is written in parts that together are its text") {
  const std::vector<Point> many(5000, {"name", 1, {}, 0.25, false});
  std::string text;
  std::size_t parts = 0;
  write_csv(points(many), [&](std::string_view lines) {
    text += lines;
    ++parts;
  });
  CHECK(parts > 1);
  CHECK(text == csv_text(points(many)));
}

TEST_CASE("in JSON a table is columns: texts once each, null for what JSON can't say") {
  const auto json = columns_json(points(
      {{"a", 1, {}, kInfinity, true}, {"b", 2, {}, std::nan(""), false}, {"a", 3, {}, {}, true}}));
  CHECK(json["name"] == Json::parse(R"({"texts": ["a", "b"], "at": [0, 1, 0]})"));
  CHECK(json["round"] == Json({1, 2, 3}));
  CHECK(json["value"] == Json::parse("[null, null, null]"));
  CHECK(json["kept"] == Json({true, false, true}));
}

TEST_CASE("columns of a part of an object are columns of the object") {
  struct Pair {
    Point point;
    std::uint32_t number = 0;
  };
  ColumnsOf<Point> own;
  own.add("name", &Point::name).add("kept", &Point::kept);
  ColumnsOf<Pair> columns;
  columns.add("number", &Pair::number).add(own, &Pair::point);
  const auto table = columns.table([](const auto& use) { use({{"p", 0, {}, {}, true}, 7}); });
  CHECK(csv_text(table) == "number,name,kept\n7,p,1\n");
}

}  // namespace test_data_table
