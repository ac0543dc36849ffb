// A table of which only the rows in sight exist.

const columns = { severity: 'Severity', code: 'Kind', state: 'State', subject: 'URL and message', count: 'Linked from' };
const grid = byId('grid');
const body = byId('body');
const space = element('div', { id: 'space', 'aria-hidden': 'true' });
const made = new Map();
const around = 6;
let rows = [];
let active = 0;
let height = 54;

function cell(name, ...inner) {
  return element('div', { role: 'gridcell', class: name }, ...inner);
}

// A URL whose origin, the same in nearly all rows, steps back behind its path.
function path(url) {
  const origin = /^https?:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
  const made = site(url.slice(origin.length), 'url line');
  if (origin) made.prepend(element('span', { class: 'origin' }, visible(origin)));
  return made;
}

function rowOf(place) {
  const finding = findings[rows[place]];
  const mark = finding.accepted ? [element('br'), element('span', { class: 'accepted-mark' }, 'accepted')] : [];
  const count = finding.linked_from_count === undefined ? '' : grouped(finding.linked_from_count);
  const row = element('div', { role: 'row', 'aria-rowindex': place + 2, tabindex: place === active ? 0 : -1 },
    cell('severity', badge(finding.severity)),
    cell('code', finding.code),
    cell('state', finding.state, ...mark),
    cell('subject', path(subject(finding)), site(finding.message, 'line muted')),
    cell('count', count));
  row.dataset.place = place;
  row.style.transform = `translateY(${place * height}px)`;
  return row;
}

function sight() {
  const from = Math.max(0, Math.floor(body.scrollTop / height) - around);
  const to = Math.min(rows.length, Math.ceil((body.scrollTop + body.clientHeight) / height) + around);
  return [from, to];
}

// A row that has the focus stays, or the focus would be lost.
function draw() {
  const [from, to] = sight();
  for (const [place, row] of made) {
    if ((place < from || place >= to) && row !== document.activeElement) {
      row.remove();
      made.delete(place);
    }
  }
  for (let place = from; place < to; place += 1) {
    if (made.has(place)) continue;
    const row = rowOf(place);
    made.set(place, row);
    const after = [...body.children].find((other) => Number(other.dataset.place) > place);
    body.insertBefore(row, after ?? null);
  }
}

function redraw() {
  height = parseFloat(getComputedStyle(grid).getPropertyValue('--row'));
  made.clear();
  space.style.height = `${rows.length * height}px`;
  body.replaceChildren(space);
  if (!rows.length) body.append(element('div', { role: 'row', class: 'empty' }, cell('subject', 'No finding matches these filters.')));
  grid.setAttribute('aria-rowcount', rows.length + 1);
  draw();
}

// A column that is empty in all rows takes no room.
function fit() {
  grid.classList.toggle('uncounted', !counted);
  grid.setAttribute('aria-colcount', counted ? 5 : 4);
}

function fill(places) {
  rows = places;
  active = 0;
  body.scrollTop = 0;
  redraw();
}

// Makes a row the one that keys act upon, and brings it into sight.
function move(place) {
  made.get(active)?.setAttribute('tabindex', '-1');
  active = Math.max(0, Math.min(rows.length - 1, place));
  const top = active * height;
  if (top < body.scrollTop) body.scrollTop = top;
  if (top + height > body.scrollTop + body.clientHeight) body.scrollTop = top + height - body.clientHeight;
  draw();
  made.get(active)?.setAttribute('tabindex', '0');
}

function focusRow() {
  made.get(active)?.focus({ preventScroll: true });
  draw();
}

const steps = () => {
  const page = Math.max(1, Math.floor(body.clientHeight / height) - 1);
  return { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: rows.length - 1 };
};

body.addEventListener('keydown', (event) => {
  const to = steps()[event.key];
  if (!rows.length || (to === undefined && event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  if (to === undefined) return show(active);
  move(to);
  focusRow();
});

body.addEventListener('click', (event) => {
  const row = event.target.closest('[role="row"]');
  if (row?.dataset.place) show(Number(row.dataset.place));
});

let frame = 0;
body.addEventListener('scroll', () => {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(draw);
}, { passive: true });
