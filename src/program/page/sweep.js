// SPDX-License-Identifier: Apache-2.0
// A sweep: its progress, what is there of every setting, failed runs. The comparison of the runs so
// far is the section that finished runs have, too.

const SWEEP_MS = 1000, STUDY_MS = 5000;

async function fetched(path) {
  const answer = await fetch(path, {cache: 'no-store'});
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function startSweep() {
  if (state.sweep) {  // a file has all of it
    state.ended = true;
    return;
  }
  let studied = -Infinity;
  for (;;) {
    try {
      state.sweep = object(await fetched('api/sweep'));
      state.connected = true;
      const now = performance.now(), over = state.sweep.state !== 'running';
      if (now - studied >= STUDY_MS || over) {
        state.study = await fetched('api/study');
        state.explored = await fetched('api/explored');
        studied = now;
      }
      state.ended = over;
    } catch {
      state.connected = false;
    }
    changed();
    if (state.ended) return;
    await new Promise((resume) => setTimeout(resume, SWEEP_MS));
  }
}

/// "312 of 2000 runs, 41 runs/s, about 40 s left"
function sweepCounts(sweep) {
  const parts = [['runs', `${significant(sweep.there)} of ${significant(sweep.planned)}`]];
  if (isNumber(sweep.runs_per_s)) parts.push(['runs/s', significant(sweep.runs_per_s, 3)]);
  if (isNumber(sweep.left_s) && sweep.left_s > 0)
    parts.push(['left', 'about ' + pretty(sweep.left_s, 's', 2)]);
  if (sweep.failures > 0) parts.push(['not finished', significant(sweep.failures)]);
  return parts;
}

const sweepSection = {
  id: 'sweep',
  title: 'Sweep',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    if (state.mode !== 'sweep') return false;
    const sweep = state.sweep;
    if (!sweep) return 'Waiting for the sweep …';
    const key = JSON.stringify(sweep);
    if (key === this.key) return true;
    this.key = key;
    const labels = list(sweep.algorithms).map(String), rows = list(sweep.rows).map(object);
    const failed = list(sweep.failed).map(object);
    replace(
        this.root, sweep.note ? el('p', {class: 'faint', text: String(sweep.note)}) : null,
        failed.length ? table(
                            ['algorithm', 'setting', 'repetition', 'status', 'report'],
                            failed.map(
                                (run) => el(
                                    'tr', {}, el('th', {scope: 'row', text: String(run.algorithm)}),
                                    cell(String(run.setting ?? '')),
                                    cell(String(run.repetition), {class: 'n'}),
                                    cell(badge(inWords(run.status), toneOf(inWords(run.status)))),
                                    cell(String(run.report ?? '')))),
                            {caption: 'Runs that did not finish', key: 'failed', numeric: [2]}) :
                        null,
        el('p', {class: 'faint', text: 'Finished repetitions of every setting.'}),
        table(
            ['setting', ...labels],
            rows.map(
                (row) => el(
                    'tr', {}, el('th', {scope: 'row', text: String(row.name || 'all')}),
                    list(row.finished).map((count) => cell(String(count), {class: 'n'})))),
            {caption: 'Finished repetitions', key: 'settings', numeric: labels.map((_, i) => i + 1)}),
        rows.length < sweep.settings ?
            el('p', {
              class: 'note',
              text: `The first ${rows.length} of ${sweep.settings} settings.`
            }) :
            null);
    return true;
  },
};
