// The sequence diagram.
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "tests/support/program_folder.hpp"

namespace posse::test_sequence {
namespace {

using Catch::Matchers::Contains;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class TracedRun : public ProgramFolder {
 public:
  explicit TracedRun(const std::string& flags = "--trace messages", int clients = 3) {
    write(
        "seq.toml",
        "name = \"seq\"\nseed = 2\n[[algorithm]]\nkind = \"fed-pne\"\n[population]\nclients = " +
            std::to_string(clients) +
            "\n[objective]\nkind = \"garland\"\n[budget]\nevaluations_per_client = 300\n[network]\n"
            "latency = \"5 ms\"\nloss = 0.25\ntransport = \"reliable\"\n"
            "[compute]\nevaluation = \"100 us\"\n");
    const auto run = posse("run seq.toml --quiet " + flags);
    INFO(run.err);
    REQUIRE(run.code == 0);
  }
  std::string file(const std::string& name) const {
    return content(*this / "runs" / "seq" / "latest" / "plots" / name);
  }
};

}  // namespace

TEST_CASE("a sequence diagram has a lane per node, an arrow per copy and the causes of losses") {
  const TracedRun run;
  const auto drawn = run.posse("plot runs/seq --kind sequence");
  INFO(drawn.err);
  REQUIRE(drawn.code == 0);
  const auto svg = run.file("sequence.svg"), csv = run.file("sequence.csv");
  for (const char* node : {">server<", ">client-0<", ">client-1<", ">client-2<"})
    CHECK(count_of(svg, node) == 1);
  const auto copies = count_of(csv, "\n") - 1;
  CHECK(copies > 20);
  const auto dropped = count_of(csv, ",dropped,loss,");
  CHECK(dropped > 0);
  CHECK(count_of(svg, ">loss<") == dropped);
  CHECK_THAT(svg,
             Contains(">PhasePlan<") && Contains(">LocalMeans<") && Contains(">acknowledgement<") &&
                 Contains(">sent again<") && Contains("dropped, with its cause") &&
                 Contains(">simple regret<") && Contains("virtual time (s)"));
  // Arrows with heads: what arrived, without acknowledgements.
  std::size_t arrived = 0;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);)
    arrived += line.find(",Ack,") == std::string::npos &&
               (line.find(",delivered,") != std::string::npos ||
                line.find(",discarded,") != std::string::npos) &&
               !line.starts_with("id,");
  CHECK(count_of(svg, "z\" fill=\"#") == arrived);
  CHECK_FALSE(csv.empty());
}

TEST_CASE("a sequence diagram shows the rounds that were asked for") {
  const TracedRun run;
  REQUIRE(run.posse("plot runs/seq --kind sequence --rounds 2").code == 0);
  CHECK_THAT(run.file("sequence.svg"), Contains("Messages of fed-pne, round 2"));
  std::istringstream lines(run.file("sequence.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line.starts_with("id,type,round,from,to,"));
  while (std::getline(lines, line)) CHECK_THAT(line, Contains(",2,"));
  REQUIRE(run.posse("plot runs/seq --kind sequence --rounds 1..3").code == 0);
  CHECK_THAT(run.file("sequence.svg"), Contains("rounds 1 to 3"));
}

TEST_CASE("a sequence diagram that can't be drawn says why") {
  const TracedRun run;
  const auto fails = [&](const std::string& arguments, int code, const std::string& why) {
    const auto drawn = run.posse("plot runs/seq " + arguments);
    CHECK(drawn.code == code);
    CHECK_THAT(drawn.err, Contains(why));
  };
  fails("--kind sequence --rounds 3..1", 2, "is not a round or a range");
  fails("--kind sequence --rounds x", 2, "is not a round or a range");
  fails("--kind regret --rounds 1", 2, "--rounds and --repetition apply to sequence");
  fails("--kind sequence --rounds 90", 11, "no message of 'fed-pne' is of these rounds");
  fails("--kind sequence --repetition 5", 11, "has no run of 'fed-pne' in repetition 5");
  const TracedRun untraced("");
  CHECK_THAT(untraced.posse("plot runs/seq --kind sequence").err,
             Contains("a sequence needs a run with --trace messages"));
  const TracedRun large("--trace messages", 60);
  CHECK_THAT(large.posse("plot runs/seq --kind sequence --rounds 1").err,
             Contains("61 nodes are too many for a picture of at most 40"));
  CHECK_THAT(large.posse("plot runs/seq --kind sequence --rounds 1..9").err,
             Contains("are too many for a picture of at most 1000"));
}

}  // namespace posse::test_sequence
