// Sorting, filters, the theme, and the start.

const sorting = { column: '', descending: false };
const filters = byId('filters');

function wanted() {
  const severities = new Set([...filters.querySelectorAll('[name="severity"]:checked')].map((box) => box.value));
  return { severities, code: byId('code').value, state: byId('state').value, text: byId('text').value.trim().toLowerCase() };
}

function showCount(count) {
  const kept = findings.length < total ? ` The ${grouped(findings.length)} gravest of ${grouped(total)} are in this file; report.json has all.` : '';
  byId('count').textContent = `${grouped(count)} of ${grouped(findings.length)} findings.${kept}`;
}

function apply() {
  const places = sorted(chosen(wanted()), sorting.column, sorting.descending);
  fill(places);
  showCount(places.length);
}

function sortBy(column) {
  sorting.descending = sorting.column === column && !sorting.descending;
  sorting.column = column;
  for (const header of byId('head').querySelectorAll('[role="columnheader"]')) {
    const way = header.dataset.column === column ? (sorting.descending ? 'descending' : 'ascending') : 'none';
    header.setAttribute('aria-sort', way);
  }
  apply();
}

function header([column, title]) {
  const button = element('button', { type: 'button' }, title);
  button.addEventListener('click', () => sortBy(column));
  const made = element('div', { role: 'columnheader', 'aria-sort': 'none', class: column }, button);
  made.dataset.column = column;
  return made;
}

function severityBox(severity) {
  const box = element('input', { type: 'checkbox', name: 'severity', value: severity, checked: '' });
  return element('label', {}, box, severity);
}

// Shows the findings of a kind, or those below a folder.
function only(code, text) {
  filters.reset();
  byId('code').value = code;
  byId('text').value = text;
  apply();
  byId('findings').scrollIntoView();
  byId('findings').focus({ preventScroll: true });
}

function connect() {
  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  };
  filters.addEventListener('input', soon);
  filters.addEventListener('reset', soon);
  filters.addEventListener('submit', (event) => event.preventDefault());
  matchMedia('(max-width: 640px)').addEventListener('change', redraw);
  addEventListener('resize', () => draw());
  document.addEventListener('click', (event) => {
    const target = event.target.closest?.('[data-code], [data-folder]');
    if (!target) return;
    event.preventDefault();
    only(target.dataset.code ?? '', target.dataset.folder ?? '');
  });
}

function theme() {
  const names = ['system', 'light', 'dark'];
  const button = byId('theme');
  let place = 0;
  // Where a browser keeps nothing for local files, the choice lasts as long as the page.
  const keep = (act) => { try { return act(); } catch { return null; } };
  const set = (next) => {
    place = next;
    document.documentElement.dataset.theme = names[place];
    button.textContent = `Theme: ${names[place]}`;
  };
  set(Math.max(0, names.indexOf(keep(() => localStorage.getItem('mapwright-theme')) ?? 'system')));
  button.hidden = false;
  button.addEventListener('click', () => {
    set((place + 1) % names.length);
    keep(() => localStorage.setItem('mapwright-theme', names[place]));
  });
}

function prepare() {
  theme();
  byId('severities').append(...Object.keys(grave).map(severityBox));
  const kinds = [...rules.values()].filter((rule) => rule.count);
  byId('code').append(...kinds.map((rule) => element('option', { value: rule.code }, `${rule.code} (${grouped(rule.count)})`)));
  byId('head').append(element('div', { role: 'row', 'aria-rowindex': 1 }, ...Object.entries(columns).map(header)));
  document.documentElement.classList.add('browsing');
  byId('browser').hidden = false;
}

// The first paint comes before all work.
async function start() {
  prepare();
  let drawn = false;
  await read((count) => {
    fit();
    if (!drawn) fill(findings.map((_, place) => place));
    drawn = true;
    byId('count').textContent = `Reading the findings: ${grouped(count)}…`;
  });
  connect();
  apply();
  document.documentElement.dataset.ready = 'true';
}

requestAnimationFrame(() => setTimeout(start));
