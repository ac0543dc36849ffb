// The live part of a job's page: server-sent events into the numbers that are there already; before the run begins,
// looking out for it.
'use strict';

const live = document.getElementById('live');
const waiting = document.getElementById('waiting');

/** Milliseconds between two looks at a run that waits for its turn: at first, and at most. */
const SOON = 1000;
const LATE = 30000;

/** What a run is at. */
const phases = {
  crawling: 'crawling',
  finishing: 'finishing: judging, publishing',
};

/** A count with its thousands set apart. */
const grouped = (count) => Math.round(count).toLocaleString('en');

/** A duration, as the pages show it. */
function took(millis) {
  const seconds = Math.floor(millis / 1000);
  const two = (number) => String(number).padStart(2, '0');
  if (seconds < 1) return `${millis} ms`;
  if (seconds < 60) return `${seconds}.${Math.floor((millis % 1000) / 100)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

/** Characters that act upon the text around them are shown as escapes. */
function visible(text) {
  const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
  return text.replace(acting, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Texts of the site become texts, never markup. */
function element(name, kind, text) {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = visible(text);
  return made;
}

function failed({ url, what }) {
  const item = document.createElement('li');
  item.append(element('bdi', 'url', url), ' ', element('span', 'muted', what));
  return item;
}

function show(now) {
  const texts = {
    phase: phases[now.phase] ?? now.phase,
    done: grouped(now.done),
    queued: grouped(now.queued),
    rate: now.rate.toFixed(1),
    errors: grouped(now.errors),
    elapsed: took(now.elapsed_ms),
    note: now.note ?? '',
  };
  for (const place of live.querySelectorAll('[data-live]')) place.textContent = texts[place.dataset.live];
  const items = now.latest.map(failed);
  document.getElementById('live-latest').replaceChildren(...(items.length ? items : [element('li', 'muted', 'none')]));
}

/** Said once at each change, so that readers are not talked to all the time. */
function say(text) {
  const state = document.getElementById('live-state');
  if (state.textContent !== text) state.textContent = text;
}

function watch() {
  const source = new EventSource(live.dataset.source);
  source.addEventListener('live', (event) => {
    say('Live.');
    show(JSON.parse(event.data));
  });
  source.addEventListener('end', () => {
    source.close();
    say('The run has ended: what came of it is below.');
    dispatchEvent(new Event('run-ended'));
    document.getElementById('live-title').textContent = 'This run';
    live.querySelector('[data-live=phase]').textContent = 'ended';
  });
  source.addEventListener('error', () => {
    const ended = source.readyState === EventSource.CLOSED;
    say(ended ? 'No longer live. Load the page again.' : 'The connection was lost; it is being tried again.');
  });
  addEventListener('pagehide', () => source.close());
}

/** Loads the page again once the run that waits has begun, or is no longer wanted. */
async function lookOut(pause) {
  try {
    const answer = await fetch(waiting.dataset.source, { cache: 'no-store' });
    if (!answer.ok || (await answer.json()).state !== 'waiting') return location.reload();
  } catch {
    // The service is away for a moment, as at a restart.
  }
  return setTimeout(lookOut, pause, Math.min(pause * 1.5, LATE));
}

if (live) watch();
if (waiting) {
  waiting.querySelector('[role=status]').textContent = 'This page shows it once it begins.';
  setTimeout(lookOut, SOON, SOON);
}
