/* SPDX-License-Identifier: Apache-2.0 */
/*
 * posse.h: Posse from C, and from whatever can call C.
 *
 *   posse_scenario* scenario = posse_scenario_load("quickstart.toml");
 *   posse_scenario_set(scenario, "network.loss", "0.05");
 *   posse_results* results = posse_run(scenario, NULL);
 *   const posse_table* runs = posse_results_table(results, "runs");
 *
 * A function that makes something returns NULL if it fails, any other a posse_status;
 * posse_last_error() says why. Texts are UTF-8 and end with a null byte; texts and tables belong to
 * the object that returns them and live as long as it does. An object may be used by one thread at a
 * time, different objects by different threads. All functions accept NULL for an object and fail.
 *
 * The interface is compatible within libposse.so.0: programs that were built with an older version
 * run with a newer one.
 */
#ifndef POSSE_H
#define POSSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The exit codes of the program `posse`. */
typedef enum posse_status {
  POSSE_OK = 0,
  POSSE_INTERNAL = 1,         /* a mistake of Posse's */
  POSSE_USAGE = 2,            /* a null pointer, an unknown name, a call out of order */
  POSSE_INVALID_SCENARIO = 3, /* a file, a key, a unit, a range; a learner's parameters */
  POSSE_THRESHOLD = 4,        /* a [threshold] of the scenario failed */
  POSSE_VIOLATED = 5,         /* a bound that always holds, or the ledger of messages */
  POSSE_NO_PROGRESS = 7,      /* a run stalled, met a limit or was stopped; memory ended */
  POSSE_UNDECIDED = 9,        /* too few repetitions for a threshold */
  POSSE_FILES = 11            /* a file can't be read or written */
} posse_status;

/* "0.1.0" */
const char* posse_version(void);
/* Why the last function that failed in this thread did; "" if none has. Several lines with a line
 * break at the end of each where a scenario has several mistakes. Valid until the next failure in
 * this thread. */
const char* posse_last_error(void);

/* ---- Scenarios: docs/scenario.md --------------------------------------------------------------- */

typedef struct posse_scenario posse_scenario;

/* Reads a scenario file. */
posse_scenario* posse_scenario_load(const char* file);
/* A scenario as TOML. Files that it names are looked for in `folder`. */
posse_scenario* posse_scenario_parse(const char* toml, const char* folder);
void posse_scenario_free(posse_scenario* scenario);

/* As `--set KEY=VALUE` of the program: the value is TOML, or a plain text where it isn't; "" removes
 * the key. */
posse_status posse_scenario_set(posse_scenario* scenario, const char* key, const char* value);
/* Whether it can be run; posse_last_error() has all its mistakes. */
posse_status posse_scenario_check(const posse_scenario* scenario);

/* ---- Runs -------------------------------------------------------------------------------------- */

typedef struct posse_progress {
  size_t runs;                 /* repetitions times algorithms */
  size_t ended;                /* of them */
  double evaluations;          /* of all runs, counted when a node has made all those of a message */
  double expected_evaluations; /* at most, of all runs */
} posse_progress;

/* Called by the thread that called posse_run(), about ten times a second, and once more at the end.
 * Anything but 0 stops the runs, with the results that they have. */
typedef int (*posse_progress_function)(const posse_progress* progress, void* user);

/* Set everything to 0 first: members that are 0 have the default, and so will those that later
 * versions add at the end. */
typedef struct posse_run_options {
  size_t size;      /* sizeof(posse_run_options) */
  uint32_t threads; /* 0: one per core. Results don't depend on it. */
  posse_progress_function progress;
  void* user; /* passed to `progress` */
} posse_run_options;

typedef struct posse_results posse_results;

/* Runs all algorithms and repetitions, as `posse run`. `options` may be NULL. Fails only if the
 * scenario is wrong: what happened to the runs is in the results. */
posse_results* posse_run(const posse_scenario* scenario, const posse_run_options* options);
void posse_results_free(posse_results* results);

/* What the program's exit code would be. */
posse_status posse_results_status(const posse_results* results);
/* 16 hexadecimal digits: equal for equal results. */
const char* posse_results_fingerprint(posse_results* results);
/* results.json, and what `posse run` prints. */
const char* posse_results_json(posse_results* results);
const char* posse_results_text(posse_results* results);
/* Writes a run folder below `out`, with tables and report.html, and returns its path. */
const char* posse_results_write(posse_results* results, const char* out);

/* ---- Tables ------------------------------------------------------------------------------------ */

typedef struct posse_table posse_table;

/* `runs`: a row per run with its status, fingerprint, regrets, rounds, messages, bytes, time …;
 * `rounds`, `regret`, `comparison`, `arms`, `links`, `cells`: the CSV file of that name in a run
 * folder (docs/results.md). Without rows if the scenario has nothing of the kind. */
const posse_table* posse_results_table(posse_results* results, const char* name);

size_t posse_table_rows(const posse_table* table);
size_t posse_table_columns(const posse_table* table);
/* Columns are counted from 0; NULL beyond the last. */
const char* posse_table_column_name(const posse_table* table, size_t column);
/* The column of that name, or SIZE_MAX. */
size_t posse_table_find(const posse_table* table, const char* name);
/* The numbers of a column, as many as there are rows, NaN for an empty cell; NULL for a column of
 * texts. */
const double* posse_table_reals(const posse_table* table, size_t column);
/* A cell of a column of texts; NULL otherwise. */
const char* posse_table_text(const posse_table* table, size_t column, size_t row);

/* ---- Learners: ask for a point, tell its reward ------------------------------------------------ */

typedef struct posse_learner posse_learner;

/* kind: "hct", "hoo", "poo", … (posse_learner_kinds()). parameters: TOML, as below [[algorithm]] in
 * a scenario ("nu1 = 1\nrho = 0.5"); NULL or "" for the defaults. low, high: the domain, `dimension`
 * finite bounds each. budget: the number of evaluations that the learner plans for, at least 1. With
 * the same rewards, a learner asks for the same points as client 0 of a scenario with
 * placement = "local" and the same seed. */
posse_learner* posse_learner_new(const char* kind,
                                 const char* parameters,
                                 size_t dimension,
                                 const double* low,
                                 const double* high,
                                 uint64_t budget,
                                 uint64_t seed);
void posse_learner_free(posse_learner* learner);

/* The next point to evaluate: `dimension` numbers are written. Beyond the budget it is the
 * recommendation. */
posse_status posse_learner_ask(posse_learner* learner, double* point);
/* The reward of that point, finite. */
posse_status posse_learner_tell(posse_learner* learner, double reward);
/* The point that the learner would recommend now. */
posse_status posse_learner_recommend(const posse_learner* learner, double* point);
/* Names, with a comma between them. */
const char* posse_learner_kinds(void);

#ifdef __cplusplus
}
#endif

#endif
