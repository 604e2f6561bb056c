// SPDX-License-Identifier: Apache-2.0
// The page's state, header and sections, and when they are redrawn.

const state = {
  mode: 'report',
  documents: [],
  study: null,  // of several documents, or of a sweep
  sweep: null,  // its progress
  explored: null,  // its settings, with keys and measures
  selected: null,
  token: null,
  connected: false,
  ended: false,
  runIndex: null,
  openIds: null
};

const sections = [
  runIndexSection, comparisonSection, exploreSection, sweepSection, validationSection, overviewSection, regretSection,
  communicationSection,
  roundsSection, networkSection, armsSection, treeSection, sequenceSection, interventionsSection,
  scenarioSection
];

// ---- which run ----------------------------------------------------------------------------------

/// {doc, run} for the sections that show a single run. Until the user selects one, a live page
/// follows the current run.
function selectedRun() {
  const chosen = state.selected;
  if (chosen)
    for (const doc of state.documents)
      if (titleOf(doc) === chosen.title || state.documents.length === 1) {
        const run = list(doc.runs).find((r) => object(r).id === chosen.id);
        if (run) return {doc, run};
      }
  for (const doc of state.documents) {
    const runs = list(doc.runs).filter((run) => run && typeof run === 'object');
    const run = runs.find((r) => r.state === 'running' || r.state === 'paused') ||
        (doc.source === 'live' && runs.filter((r) => r.state === 'over').pop()) || runs[0];
    if (run) return {doc, run};
  }
  return {doc: state.documents[0] || {}, run: null};
}
function selectRun(doc, run) {
  state.selected = {title: titleOf(doc), id: run.id};
  changed();
}

// ---- header -------------------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);
function say(text) {
  byId('said').textContent = text;
  byId('said').hidden = !text;
}

function drawHead() {
  const doc = state.documents[0], many = state.documents.length > 1;
  const sweep = state.mode === 'sweep' ? object(state.sweep) : null;
  const name = sweep ? String(sweep.name || 'Sweep') :
      !doc           ? (state.mode === 'run_index' ? 'Runs' : 'Posse') :
      many           ? `${state.documents.length} runs compared` :
                       String(doc.name || doc.title || 'run');
  byId('name').textContent = name;
  document.title = `${name} – Posse`;
  byId('subtitle').textContent = doc && !many && titleOf(doc) !== name ? titleOf(doc) : '';
  const live = state.mode === 'live';
  let text = '', tone = '';
  if (sweep)
    [text, tone] = state.ended || state.connected ? [inWords(sweep.state), toneOf(sweep.state)] :
                                                    ['disconnected, reconnecting …', 'warn'];
  else if (live && !doc)
    [text, tone] = state.connected ? ['loading …', ''] : ['connecting …', 'warn'];
  else if (live && !state.ended && !state.connected)
    [text, tone] = ['disconnected, reconnecting …', 'warn'];
  else if (doc && !many)
    [text, tone] = outcomeOf(doc);
  for (const id of ['state', 'state_below']) {  // narrow pages keep the second one in view
    byId(id).hidden = !text;
    byId(id).textContent = text;
    byId(id).className = `badge ${tone}`;
  }
  drawProgress(doc, many);
  drawControls(doc);
}

function drawProgress(doc, many) {
  const box = byId('progress');
  if (state.mode === 'sweep' && state.sweep) {
    const share = state.sweep.planned ? state.sweep.there / state.sweep.planned : 0;
    showProgress(share, state.sweep.state !== 'running', sweepCounts(state.sweep));
    return;
  }
  if (!doc || many) {
    box.hidden = true;
    return;
  }
  const {done, expected, finished, runs} = progressOf(doc);
  // The time of a single run means nothing for several finished ones.
  const {run} = doc.source === 'live' || runs === 1 ? selectedRun() : {};
  const share = expected ? done / expected : runs ? finished / runs : 0;
  const parts = [];
  if (done > 0)
    parts.push([
      'evaluations',
      expected && finished < runs ? `${significant(done)} of ${significant(expected)}` :
                                    significant(done)
    ]);
  parts.push(finished < runs ? ['runs finished', `${finished} of ${runs}`] : [runs === 1 ? 'run' : 'runs', runs]);
  if (run && doc.source === 'live') parts.push(['shown below', String(run.id)]);
  if (run && isNumber(run.now_virtual_s))
    parts.push(['virtual time', pretty(run.now_virtual_s, 's')]);
  if (run && isNumber(run.rounds)) parts.push(['rounds', significant(run.rounds)]);
  if (run && isNumber(run.events)) parts.push(['events', significant(run.events)]);
  if (run && doc.source === 'live' && isNumber(run.queued_events))
    parts.push(['events queued', significant(run.queued_events)]);
  const left = doc.source === 'live' && expected ? secondsLeft(share, doc.status !== 'running') : null;
  if (left !== null) parts.push(['left', 'about ' + pretty(left, 's', 2)]);
  showProgress(share, doc.source !== 'live' && finished === runs, parts);
  box.hidden = runs === 0;
}

function showProgress(share, over, parts) {
  byId('progress').hidden = false;
  const bar = byId('bar');
  bar.value = share;
  bar.hidden = over;
  bar.setAttribute('aria-valuetext', percent(share));
  replace(
      byId('counts'),
      parts.map(([name, value]) => el('span', {}, el('b', {text: value}), ' ' + name)));
}

/// Space pauses and resumes, s and e make a step: where no field or button has the key.
function press(event) {
  const used = event.target.closest && event.target.closest('input, select, textarea, button, a, summary');
  const id = {' ': 'pause', s: 'step', e: 'step-event'}[event.key], button = id && byId(id);
  if (!button || button.disabled || byId('controls').hidden || event.ctrlKey || event.metaKey ||
      event.altKey || used)
    return;
  event.preventDefault();
  button.click();
}

/// Seconds until a share of 1, from what it gained in the last half minute; null before that tells.
const gained = [];  // {at, share}
function secondsLeft(share, stands) {
  const at = performance.now() / 1000;
  if (stands || gained.length && share < gained[gained.length - 1].share) gained.length = 0;
  if (stands) return null;
  if (!gained.length || at - gained[gained.length - 1].at > 0.5) gained.push({at, share});
  while (gained.length > 2 && at - gained[0].at > 30) gained.shift();
  const {at: from, share: before} = gained[0];
  return at - from > 2 && share > before && share < 1 ? (1 - share) * (at - from) / (share - before) : null;
}

// ---- control ------------------------------------------------------------------------------------

const PACES = [-3, -2, -1, 0, 1, 2, 3, 4]
                  .flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)))
                  .concat(0);  // 0: as fast as possible
const paceText = (pace) => pace ? `${significant(pace)} virtual s per s` : 'as fast as possible';
const UNITS = [['round', 'round'], ['event', 'event'], ['virtual_s', 'virtual time, s']];

/// The parts of the controls, made once: what is typed into them stays.
let controls = null;
function makeControls() {
  const button = (id, title, onclick, ...inside) =>
      el('button', {type: 'button', id, 'data-key': id, title, onclick}, ...inside);
  const ofRun = () => object(selectedRun().run).id || '';
  const amount = el('input', {
    type: 'number',
    id: 'until-amount',
    'data-key': 'until-amount',
    'aria-label': 'run until',
    min: 0,
    step: 'any',
    onkeydown: (event) => event.key === 'Enter' && go.click()
  });
  let unit = UNITS[0][0];
  const go = button('until', null, () => {
    if (amount.value) control('until', ofRun(), {amount: Number(amount.value), unit});
  }, icon('until'), ' Go');
  const pace = el('input', {
    type: 'range',
    id: 'pace',
    'data-key': 'pace',
    min: 0,
    max: PACES.length - 1,
    step: 1,
    oninput: () => {
      paceSaid.textContent = paceText(PACES[pace.value]);
    },
    onchange: () => control('pace', '', {amount: PACES[pace.value]})
  });
  const paceSaid = el('span', {id: 'pace-said'});
  const hint = el('small', {class: 'hint'});
  const step = (id, title, text, unit) =>
      button(id, title, () => control('step', ofRun(), {unit}), icon(id), text);
  controls = {
    pause: button('pause', null, () => control(controls.paused ? 'resume' : 'pause')),
    steps: [
      step('step', 's', ' Step one round', 'round'),
      step('step-event', 'e', ' Step one event', 'event')
    ],
    goal: [amount, go],
    pace,
    paceSaid,
    hint
  };
  replace(
      byId('controls'), controls.pause, ...controls.steps,
      el('span', {class: 'choice'}, 'run until', choice('', UNITS, unit, (chosen) => {
           unit = chosen;
         }, 'until-unit'), amount, go),
      el('label', {class: 'choice'}, 'pace', pace, paceSaid), hint);
}

function drawControls(doc) {
  const box = byId('controls');
  box.hidden = state.mode !== 'live' || !doc || doc.source !== 'live' || state.ended;
  if (box.hidden) return;
  if (!controls) makeControls();
  const paused =
      doc.status === 'paused' || list(doc.runs).some((run) => object(run).state === 'paused');
  const real = object(doc.metadata).clock === 'wall';
  const off = !canControl() || real;
  const hint = controlHint() || (real ? 'Runs in wall time can’t be paused.' : '');
  const {pause, steps, goal, pace, paceSaid} = controls;
  if (controls.paused !== paused) {
    controls.paused = paused;
    replace(pause, icon(paused ? 'play' : 'pause'), paused ? ' Resume' : ' Pause');
  }
  pause.title = hint || 'Space';
  for (const [i, one] of steps.entries()) {
    one.disabled = off || !paused;
    one.title = hint || (paused ? ['s', 'e'][i] : 'Pause the run first');
  }
  for (const one of [pause, pace, ...goal]) one.disabled = off;
  controls.hint.textContent = hint;
  const active = list(doc.runs).find((run) => ['running', 'paused'].includes(object(run).state));
  const now = object(active).pace;  // of all runs
  if (isNumber(now) && now !== controls.now) {  // not while it is dragged
    controls.now = now;
    pace.value = now ? nearestPace(now) : PACES.length - 1;
    paceSaid.textContent = paceText(now);
  }
}
function nearestPace(pace) {
  const distance = (each) => Math.abs(Math.log(each / pace));
  return PACES.slice(0, -1).reduce(
      (best, each, i) => distance(each) < distance(PACES[best]) ? i : best, 0);
}

// ---- sections -----------------------------------------------------------------------------------

function buildSections() {
  const main = byId('main');
  let runBar = null;
  for (const section of sections) {
    if (section.ofRun && !runBar) {
      runBar = el('div', {id: 'runbar', class: 'card row'});
      main.append(runBar);
    }
    section.reason = el('p', {class: 'card note'});
    section.body = el('div', {}, section.build());
    section.frame = el(
        'section', {id: section.id, 'aria-labelledby': section.id + '-title'},
        el('h2', {id: section.id + '-title', text: section.title}), section.reason, section.body);
    section.frame.hidden = true;
    main.append(section.frame);
  }
}

function drawRunBar() {
  const bar = byId('runbar'),
        runs = state.documents.flatMap(
            (doc) => list(doc.runs)
                         .filter((run) => run && typeof run === 'object')
                         .map((run) => ({doc, run})));
  bar.hidden = runs.length < 2;
  if (bar.hidden) return;
  const chosen = selectedRun(), many = state.documents.length > 1;
  const labels = runs.map(
      ({doc, run}) => `${object(list(doc.algorithms)[run.algorithm]).label ?? ''}, repetition ${
          run.repetition}${many ? ', ' + shortPath(titleOf(doc)) : ''}${
          isFinished(run) ? '' : ` (${statusOf(doc, run)})`}`);
  const at = runs.findIndex(({run}) => run === chosen.run);
  const key = JSON.stringify([labels, at, Boolean(state.selected)]);
  if (key === drawRunBar.key) return;
  drawRunBar.key = key;
  const live = state.documents.some((doc) => doc.source === 'live');
  replace(
      bar,
      choice(
          'Run', labels.map((label, i) => [String(i), label]), String(at),
          (i) => selectRun(runs[i].doc, runs[i].run), 'run'),
      live && state.selected && el('button', {
        type: 'button',
        'data-key': 'follow',
        onclick: () => {
          state.selected = null;
          changed();
        },
        text: 'Follow the current run'
      }));
}

function drawSections() {
  const links = [];
  for (const section of sections) {
    const wasHidden = section.frame.hidden;
    if (wasHidden) section.frame.hidden = false;  // charts measure their boxes
    let shown;
    try {
      shown = state.documents.length || section === runIndexSection || state.mode === 'sweep' &&
              [sweepSection, comparisonSection, exploreSection].includes(section) ?
          section.update() :
          false;
    } catch (error) {
      console.error(`section ${section.id}:`, error);
      shown = 'This section can’t be drawn: its data are damaged.';
    }
    section.shown = shown;
    section.frame.hidden = shown === false || shown === null || shown === undefined;
    section.body.hidden = shown !== true;
    section.reason.hidden = typeof shown !== 'string';
    if (typeof shown === 'string') section.reason.textContent = shown;
    if (!section.frame.hidden) links.push(section);
  }
  const nav = byId('nav'), key = links.map((s) => s.id).join();
  if (nav.dataset.for !== key) {
    nav.dataset.for = key;
    replace(nav, links.map((s) => el('a', {
                             href: '#' + s.id,
                             'data-key': s.id,
                             text: s.title,
                             onclick: (event) => {
                               event.preventDefault();  // keep the address
                               s.frame.scrollIntoView(
                                   {behavior: calmMedia.matches ? 'auto' : 'smooth'});
                               s.frame.querySelector('h2').setAttribute('tabindex', '-1');
                               s.frame.querySelector('h2').focus({preventScroll: true});
                             }
                           })));
    nav.hidden = byId('bar_below').hidden = links.length < 2;
  }
  byId('empty').hidden = links.length > 0;
  byId('empty').textContent = state.mode === 'live' && !state.documents.length ?
      'Waiting for the run …' :
      'This document is empty.';
}

function draw() {
  drawHead();
  drawRunBar();
  drawSections();
}

// ---- redrawing ----------------------------------------------------------------------------------

// At most five times a second, on an animation frame, and not while the page is hidden.
const REDRAW_INTERVAL_MS = 200;
let waiting = false, drawnAt = -Infinity, stale = false;

function changed() {
  stale = true;
  if (waiting || document.hidden) return;
  waiting = true;
  setTimeout(
      () => requestAnimationFrame(() => {
        waiting = false;
        if (!stale) return;
        stale = false;
        draw();
        drawnAt = performance.now();
      }),
      Math.max(0, REDRAW_INTERVAL_MS - (performance.now() - drawnAt)));
}

function redrawAll() {
  for (const box of boxes.values())
    if (box.root.isConnected && !box.root.closest('[hidden]')) box.redraw();
  overviewSection.key = null;
  changed();
}

function setTheme(name) {
  if (name)
    document.documentElement.dataset.theme = name;
  else
    delete document.documentElement.dataset.theme;
  const isDark = themeName() === 'dark';
  byId('theme').replaceChildren(icon(isDark ? 'sun' : 'moon'), isDark ? ' Light' : ' Dark');
  byId('theme').setAttribute('aria-label', `switch to the ${isDark ? 'light' : 'dark'} theme`);
}

function start() {
  let boot = {};
  try {
    boot = JSON.parse(byId('posse-boot').textContent);
  } catch (error) {
    console.error('the page’s embedded data are not valid JSON:', error);
  }
  const {mode} = object(boot);
  state.mode = mode === 'live'                 ? 'live' :
      mode === 'run_index' ? 'run_index' :
      mode === 'sweep'     ? 'sweep' :
                                              'report';
  state.documents = list(object(boot).documents).filter((doc) => doc && typeof doc === 'object');
  state.study = object(boot).study;
  state.explored = object(boot).explored ?? null;
  if (object(boot).sweep) state.sweep = object(boot.sweep);
  setTheme(remembered('localStorage', 'theme'));
  document.body.append(tip);
  byId('theme').addEventListener('click', () => {
    const next = themeName() === 'dark' ? 'light' : 'dark';
    remember('localStorage', 'theme', next);
    setTheme(next);
    redrawAll();
  });
  darkMedia.addEventListener('change', () => {
    setTheme(document.documentElement.dataset.theme);
    redrawAll();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && stale) changed();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideTip();
    press(event);
  });
  let width = window.innerWidth, resizing = null;
  window.addEventListener('resize', () => {  // SVG diagrams are laid out for the page's width
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(resizing);
    resizing = setTimeout(redrawAll, 120);
  });
  buildSections();
  if (state.mode === 'live')
    startLive();
  else if (state.mode === 'run_index')
    startRunIndex();
  else if (state.mode === 'sweep')
    startSweep();
  draw();
  drawnAt = performance.now();
}

/// For tests and debugging: the documents, and what is drawn at the moment.
window.posse = Object.freeze({
  document: () => state.documents[0] ?? null,
  documents: () => state.documents,
  charts: () => Object.fromEntries(
      [...boxes]
          .filter(([, box]) => box.shown && box.root.isConnected && !box.root.closest('[hidden]'))
          .map(([name, box]) => [name, box.drawn()])),
  sections: () => Object.fromEntries(sections.map(
      (section) => [section.id, section.shown === true ? 'shown' : section.shown || 'hidden'])),
  connected: () => state.connected,
  ended: () => state.ended,
});

start();
