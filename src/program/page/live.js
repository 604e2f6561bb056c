// SPDX-License-Identifier: Apache-2.0
// Everything that uses the server: the live document and its events, control, the finished runs.

// ---- control ------------------------------------------------------------------------------------

/// Moves the token from the address's fragment to the tab's storage.
function takeToken() {
  const found = /[#&]token=([^&]+)/.exec(location.hash);
  if (found) {
    state.token = decodeURIComponent(found[1]);
    remember('sessionStorage', 'token', state.token);
    history.replaceState(null, '', location.pathname + location.search);
  } else {
    state.token = remembered('sessionStorage', 'token');
  }
}
const isOver = (doc) => !doc || doc.source !== 'live' ||
    list(doc.runs).length > 0 && list(doc.runs).every((run) => object(run).state === 'over');
const canControl = () =>
    Boolean(state.mode === 'live' && state.token && state.connected && !isOver(state.documents[0]));
function controlHint() {
  if (!state.token) return 'To control the run, open the address with #token=… that posse printed.';
  if (!state.connected) return 'Not connected to the run.';
  return '';
}

/// `more`: groups, or amount and unit.
async function control(action, run = '', more = {}) {
  say('');
  try {
    const answer = await fetch('api/control', {
      method: 'POST',
      cache: 'no-store',
      headers: {Authorization: `Bearer ${state.token}`, 'Content-Type': 'application/json'},
      body: JSON.stringify({action, run, ...more})
    });
    if (answer.ok) return;
    const refusal = await answer.json().catch(() => ({}));
    if (answer.status === 401 || answer.status === 403) {
      state.token = null;
      remember('sessionStorage', 'token', null);
      changed();
    }
    say(`${action}: ${object(refusal).error || `refused (${answer.status})`}`);
  } catch {
    say(`${action}: the run can’t be reached`);
  }
}

// ---- the live document --------------------------------------------------------------------------

const RETRY_MS = 2000;
let stream = null, retry = null;

function adopt(doc) {
  if (!doc || typeof doc !== 'object') return;
  state.documents = [doc];
  changed();
}
function parsed(event) {
  try {
    return JSON.parse(event.data);
  } catch {
    return null;
  }
}

async function startLive() {
  takeToken();
  try {
    const answer = await fetch('api/document', {cache: 'no-store'});
    if (answer.ok) adopt(await answer.json());
  } catch {
    // The event stream sends the document again.
  }
  listen();
}

function listen() {
  clearTimeout(retry);
  if (stream) stream.close();
  stream = new EventSource('api/events');
  stream.onopen = () => {
    state.connected = true;
    changed();
  };
  stream.onerror = () => {
    state.connected = false;
    changed();
    if (state.ended) {
      stream.close();
    } else if (stream.readyState === EventSource.CLOSED) {  // the browser no longer retries
      clearTimeout(retry);
      retry = setTimeout(listen, RETRY_MS);
    }
  };
  stream.addEventListener('document', (event) => adopt(parsed(event)));
  stream.addEventListener('run', (event) => {
    const {index, run} = object(parsed(event)), doc = state.documents[0];
    if (!doc || !Number.isInteger(index) || index < 0 || index > list(doc.runs).length || !run)
      return;
    doc.runs = list(doc.runs);
    doc.runs[index] = run;
    changed();
  });
  stream.addEventListener('drawn', (event) => {
    if (!state.documents[0]) return;
    Object.assign(state.documents[0], object(parsed(event)));
    changed();
  });
  stream.addEventListener('head', (event) => {
    const head = parsed(event);
    if (!head || !state.documents[0]) return;
    const {charts, bars, runs} = state.documents[0];
    state.documents[0] = {...object(head), charts, bars, runs};
    changed();
  });
  stream.addEventListener('finished', () => {
    state.ended = true;
    stream.close();
    changed();
  });
}

// ---- finished runs ------------------------------------------------------------------------------

const selectedIds = new Set();

async function startRunIndex() {
  try {
    const answer = await fetch('api/runs', {cache: 'no-store'});
    if (!answer.ok) throw new Error(String(answer.status));
    state.runIndex = list(await answer.json());
  } catch {
    say('The list of runs can’t be loaded. Is posse serve still running?');
  }
  changed();
  window.addEventListener('popstate', () => {
    const ids = idsInAddress();  // unchanged if only the address's fragment has changed
    if (JSON.stringify(ids) !== JSON.stringify(state.openIds)) openRuns(ids, false);
  });
  const ids = idsInAddress();
  if (ids.length) await openRuns(ids, false);
}
const idsInAddress = () => new URLSearchParams(location.search).getAll('run');

let openings = 0;

/// `push`: adds the runs to the browser's history. Without it they come from the address; an
/// address without runs shows the list alone.
async function openRuns(ids, push = true) {
  const opening = ++openings;
  let documents = [], study = null, problem = '';
  say('');
  try {
    documents = await Promise.all(ids.map(async (id) => {
      const answer = await fetch('api/document?run=' + encodeURIComponent(id), {cache: 'no-store'});
      if (!answer.ok)
        throw new Error(
            object(await answer.json().catch(() => ({}))).error || `${id}: ${answer.status}`);
      return {...object(await answer.json()), path: id};
    }));
    if (ids.length > 1) {
      const answer = await fetch(
          'api/study?' + new URLSearchParams(ids.map((id) => ['run', id])), {cache: 'no-store'});
      const told = object(await answer.json().catch(() => ({})));
      study = answer.ok ? told : {problem: told.error || String(answer.status)};
    }
  } catch (error) {
    problem = `This run can’t be opened: ${error.message}`;
  }
  if (opening !== openings) return;  // something else was opened meanwhile
  say(problem);
  if (!problem || !push) {  // a wrong address shows the list alone
    state.documents = documents;
    state.study = study;
    state.selected = null;
    state.openIds = ids;
  }
  const address = location.pathname + '?' + new URLSearchParams(ids.map((id) => ['run', id]));
  if (push && !problem && address !== location.pathname + location.search)
    history.pushState(null, '', address);
  changed();
}

const runIndexSection = {
  id: 'run_index',
  title: 'Finished runs',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    if (state.mode !== 'run_index') return false;
    const key = JSON.stringify([state.runIndex, state.openIds, [...selectedIds], this.filter]);
    if (key === this.key) return true;
    this.key = key;
    if (!state.runIndex) return 'Loading …';
    if (!state.runIndex.length) return 'There are no finished runs yet.';
    const word = (this.filter || '').toLowerCase();
    const runs =
        state.runIndex.filter((run) => !word || JSON.stringify(run).toLowerCase().includes(word));
    const open = new Set(state.openIds || []);
    const input = el('input', {
      type: 'search',
      placeholder: 'filter',
      'aria-label': 'filter runs',
      'data-key': 'filter',
      value: this.filter || '',
      oninput: () => {
        this.filter = input.value;
        this.update();
        const now = this.root.querySelector('input[type=search]');
        now.setSelectionRange(now.value.length, now.value.length);
      }
    });
    replace(
        this.root, el('div', {class: 'row'}, input, el('button', {
                        type: 'button',
                        'data-key': 'compare',
                        disabled: selectedIds.size < 2,
                        onclick: () => openRuns([...selectedIds]),
                        text: `Compare selected (${selectedIds.size})`
                      })),
        table(
            ['', 'name', 'parameters', 'started, UTC', 'duration', 'seed', 'status', 'result'],
            runs.slice(0, 500).map((run) => {
              const id = String(run.id), box = el('input', {
                                           type: 'checkbox',
                                           checked: selectedIds.has(id),
                                           'data-key': 'tick/' + id,
                                           'aria-label': `select ${id} for comparison`,
                                           onchange: () => {
                                             if (box.checked)
                                               selectedIds.add(id);
                                             else
                                               selectedIds.delete(id);
                                             this.update();
                                           }
                                         });
              return el(
                  'tr', {'aria-current': open.has(id) ? 'true' : null}, cell(box),
                  el('th', {scope: 'row'}, el('button', {
                       type: 'button',
                       class: 'link',
                       'data-key': 'open/' + id,
                       title: id,
                       onclick: () => openRuns([id]),
                       text: String(run.name ?? id)
                     }),
                     run.latest && el('small', {text: ' latest'}),
                     run.label && el('small', {class: 'below', text: String(run.label)}),
                     el('small', {class: 'below', title: id, text: shortPath(id)})),
                  cell(String(run.parameters ?? ''), {class: 'parameters'}),
                  cell(String(run.started ?? '').replace('T', ' ').replace('Z', '')),
                  cell(isNumber(run.wall_s) ? pretty(run.wall_s, 's', 3) : '', {class: 'n'}),
                  cell(String(run.seed ?? ''), {class: 'n'}),
                  cell(badge(inWords(run.status), toneOf(inWords(run.status)))),
                  cell(
                      [
                        String(run.headline || ''),
                        list(run.warnings)
                            .slice(0, 2)
                            .map((text) => el('small', {class: 'below', text: `Warning: ${text}`}))
                      ],
                      {class: 'result', title: `fingerprint ${run.fingerprint ?? ''}`}));
            }),
            {caption: 'Finished runs', key: 'run_index', numeric: [4, 5]}),
        runs.length > 500 ?
            el('p', {
              class: 'note',
              text: `The first 500 of ${runs.length} runs; use the filter to find others.`
            }) :
            null);
    return true;
  },
};
