// What comes and goes over the wire: the live document, its events, control, the shelf of folders.

// ---- control ------------------------------------------------------------------------------------

/// The token comes in the address's fragment, is kept for the tab, and leaves the address bar.
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
  if (!state.connected) return 'There is no connection to the run.';
  return '';
}

async function control(action, run = '', groups = []) {
  say('');
  try {
    const answer = await fetch('api/control', {
      method: 'POST',
      cache: 'no-store',
      headers: {Authorization: `Bearer ${state.token}`, 'Content-Type': 'application/json'},
      body: JSON.stringify({action, run, groups})
    });
    if (answer.ok) return;
    const told = await answer.json().catch(() => ({}));
    if (answer.status === 401 || answer.status === 403) {
      state.token = null;
      remember('sessionStorage', 'token', null);
      changed();
    }
    say(`${action}: ${object(told).error || `refused (${answer.status})`}`);
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
    // The stream says it again.
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
    } else if (stream.readyState === EventSource.CLOSED) {  // the browser has given up: we don't
      clearTimeout(retry);
      retry = setTimeout(listen, RETRY_MS);
    }
  };
  stream.addEventListener('document', (event) => adopt(parsed(event)));
  stream.addEventListener('run', (event) => {
    const news = object(parsed(event)), doc = state.documents[0];
    if (!doc || !Number.isInteger(news.index) || news.index < 0 ||
        news.index > list(doc.runs).length || !news.run)
      return;
    doc.runs = list(doc.runs);
    doc.runs[news.index] = news.run;
    changed();
  });
  stream.addEventListener('head', (event) => {
    const head = parsed(event);
    if (!head || !state.documents[0]) return;
    const runs = state.documents[0].runs;
    state.documents[0] = {...object(head), runs};
    changed();
  });
  stream.addEventListener('finished', () => {
    state.ended = true;
    stream.close();
    changed();
  });
}

// ---- the shelf of finished runs -----------------------------------------------------------------

const ticked = new Set();

async function startShelf() {
  try {
    const answer = await fetch('api/runs', {cache: 'no-store'});
    if (!answer.ok) throw new Error(String(answer.status));
    state.shelf = list(await answer.json());
  } catch {
    say('The list of runs can’t be read: is posse serve still there?');
  }
  changed();
  window.addEventListener('popstate', () => {
    const asked = askedRuns();  // only the address's fragment may have changed
    if (JSON.stringify(asked) !== JSON.stringify(state.openIds)) openRuns(asked, false);
  });
  const asked = askedRuns();
  if (asked.length) await openRuns(asked, false);
}
const askedRuns = () => new URLSearchParams(location.search).getAll('run');

let openings = 0;

/// `push`: into the browser's history; else the address has asked for them, for none if it is the
/// shelf's own.
async function openRuns(ids, push = true) {
  const opening = ++openings;
  let documents = [], problem = '';
  say('');
  try {
    documents = await Promise.all(ids.map(async (id) => {
      const answer = await fetch('api/document?run=' + encodeURIComponent(id), {cache: 'no-store'});
      if (!answer.ok)
        throw new Error(
            object(await answer.json().catch(() => ({}))).error || `${id}: ${answer.status}`);
      return {...object(await answer.json()), path: id};
    }));
  } catch (error) {
    problem = `This run can’t be opened: ${error.message}`;
  }
  if (opening !== openings) return;  // something else was opened meanwhile
  say(problem);
  if (!problem || !push) {  // an address that leads nowhere shows the shelf
    state.documents = documents;
    state.selected = null;
    state.openIds = ids;
  }
  const address = location.pathname + '?' + new URLSearchParams(ids.map((id) => ['run', id]));
  if (push && !problem && address !== location.pathname + location.search)
    history.pushState(null, '', address);
  changed();
}

const shelfSection = {
  id: 'shelf',
  title: 'Runs on the shelf',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    if (state.mode !== 'shelf') return false;
    const key = JSON.stringify([state.shelf, state.openIds, [...ticked], this.filter]);
    if (key === this.key) return true;
    this.key = key;
    if (!state.shelf) return 'Loading …';
    if (!state.shelf.length) return 'There is no run here yet.';
    const word = (this.filter || '').toLowerCase();
    const runs =
        state.shelf.filter((run) => !word || JSON.stringify(run).toLowerCase().includes(word));
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
                        disabled: ticked.size < 2,
                        onclick: () => openRuns([...ticked]),
                        text: `Compare ${ticked.size || ''} ticked`
                      })),
        table(
            ['', 'name', 'folder', 'started', 'status', 'algorithms', 'fingerprint'],
            runs.slice(0, 500).map((run) => {
              const id = String(run.id), box = el('input', {
                                           type: 'checkbox',
                                           checked: ticked.has(id),
                                           'data-key': 'tick/' + id,
                                           'aria-label': `tick ${id} to compare`,
                                           onchange: () => {
                                             if (box.checked)
                                               ticked.add(id);
                                             else
                                               ticked.delete(id);
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
                     run.latest && el('small', {text: ' latest'})),
                  cell(shortPath(id), {title: id}), cell(String(run.started ?? '')),
                  cell(badge(inWords(run.status), toneOf(inWords(run.status)))),
                  cell(list(run.algorithms).join(', ')),
                  cell(el('code', {text: String(run.fingerprint ?? '')})));
            }),
            {caption: 'Runs', key: 'shelf'}),
        runs.length > 500 ?
            el('p',
               {class: 'note', text: `The first 500 of ${runs.length}; filter to see others.`}) :
            null);
    return true;
  },
};
