/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface: a learner looks for the largest value of a function of this program, and a
 * scenario is run with two losses of messages.
 *
 *   cc ask_and_tell.c $(pkg-config --cflags --libs posse) -lm -o ask_and_tell
 *   ./ask_and_tell /usr/share/posse/scenarios/quickstart.toml
 */
#include <math.h>
#include <posse/posse.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void) {
  fprintf(stderr, "%s\n", posse_last_error());
  exit(1);
}

static void search(void) {
  const double low[] = {-1, -1}, high[] = {1, 1};
  double x[2];
  posse_learner* learner = posse_learner_new("hct", "nu1 = 2\nrho = 0.7", 2, low, high, 5000, 1);
  if (learner == NULL) fail();
  for (int t = 0; t < 5000; ++t) {
    if (posse_learner_ask(learner, x) != POSSE_OK) fail();
    const double reward = 1 - fabs(x[0] - 0.25) - fabs(x[1] + 0.5);
    if (posse_learner_tell(learner, reward) != POSSE_OK) fail();
  }
  if (posse_learner_recommend(learner, x) != POSSE_OK) fail();
  printf("best point: %.3f %.3f\n", x[0], x[1]);
  posse_learner_free(learner);
}

static void run(const char* file, const char* loss) {
  posse_scenario* scenario = posse_scenario_load(file);
  if (scenario == NULL) fail();
  if (posse_scenario_set(scenario, "network.loss", loss) != POSSE_OK) fail();
  posse_results* results = posse_run(scenario, NULL);
  if (results == NULL) fail();
  const posse_table* runs = posse_results_table(results, "runs");
  const size_t algorithm = posse_table_find(runs, "algorithm");
  const double* time = posse_table_reals(runs, posse_table_find(runs, "virtual_s"));
  printf("loss %s, fingerprint %s\n", loss, posse_results_fingerprint(results));
  for (size_t i = 0; i < posse_table_rows(runs); ++i)
    printf("  %-10s %.3f s\n", posse_table_text(runs, algorithm, i), time[i]);
  posse_results_free(results);
  posse_scenario_free(scenario);
}

int main(int argc, char** argv) {
  search();
  if (argc > 1) {
    run(argv[1], "0");
    run(argv[1], "0.1");
  }
  return 0;
}
