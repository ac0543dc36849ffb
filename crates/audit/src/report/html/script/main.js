// Filters, the theme, and the start.

const findingGrid = new Grid('grid', findingTable);
const urlGrid = new Grid('url-grid', urlTable);
const filters = byId('filters');
const urlFilters = byId('url-filters');
const lower = (id) => byId(id).value.trim().toLowerCase();

const matching = (items, isWanted, wanted) =>
  items.flatMap((item, place) => (isWanted(item, wanted) ? [place] : []));

function applyFindings() {
  const severities = new Set([...filters.querySelectorAll('[name="severity"]:checked')].map((box) => box.value));
  const wanted = { severities, code: byId('code').value, state: byId('state').value, text: lower('text') };
  findingGrid.fill(matching(findings, isWantedFinding, wanted));
  const kept = findings.length < total ? ` The ${grouped(findings.length)} gravest of ${grouped(total)} are in this file; report.json has all.` : '';
  byId('count').textContent = `${grouped(findingGrid.rows.length)} of ${grouped(findings.length)} findings.${kept}`;
}

function applyUrls() {
  const wanted = { listed: byId('listed').value, reason: byId('reason').value, status: byId('status').value, text: lower('url-text') };
  urlGrid.fill(matching(urlItems, isWantedUrl, wanted));
  const kept = urlItems.length < totalUrls ? ` The first ${grouped(urlItems.length)} of ${grouped(totalUrls)} that were found are in this file; mapwright export has all.` : '';
  byId('url-count').textContent = `${grouped(urlGrid.rows.length)} of ${grouped(urlItems.length)} URLs.${kept}`;
}

function goTo(id) {
  byId(id).scrollIntoView();
  byId(id).focus({ preventScroll: true });
}

// Shows the findings of a kind, or those below a folder.
function onlyFindings(code, folder) {
  filters.reset();
  byId('code').value = code;
  byId('text').value = folder;
  applyFindings();
  goTo('findings');
}

// Shows the URLs that are left out for a reason.
function onlyUrls(reason) {
  urlFilters.reset();
  byId('reason').value = reason;
  applyUrls();
  goTo('urls');
}

function connect(form, apply) {
  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  };
  form.addEventListener('input', soon);
  form.addEventListener('reset', soon);
  form.addEventListener('submit', (event) => event.preventDefault());
}

function connectAll() {
  connect(filters, applyFindings);
  connect(urlFilters, applyUrls);
  const grids = [findingGrid, urlGrid];
  matchMedia('(max-width: 640px)').addEventListener('change', () => grids.forEach((grid) => grid.redraw()));
  addEventListener('resize', () => grids.forEach((grid) => grid.draw()));
  document.addEventListener('click', (event) => {
    const target = event.target.closest?.('[data-code], [data-folder], [data-reason]');
    if (!target) return;
    event.preventDefault();
    if (target.dataset.reason) onlyUrls(target.dataset.reason);
    else onlyFindings(target.dataset.code ?? '', target.dataset.folder ?? '');
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

function severityBox(severity) {
  const box = element('input', { type: 'checkbox', name: 'severity', value: severity, checked: '' });
  return element('label', {}, box, severity);
}

function prepare() {
  theme();
  byId('severities').append(...Object.keys(grave).map(severityBox));
  const kinds = [...rules.values()].filter((rule) => rule.count);
  byId('code').append(...kinds.map((rule) => element('option', { value: rule.code }, `${rule.code} (${grouped(rule.count)})`)));
  byId('reason').append(...Object.keys(reasons).map((reason) => element('option', { value: reason }, reason)));
  document.documentElement.classList.add('browsing');
  byId('browser').hidden = false;
  byId('url-browser').hidden = false;
}

// A column that is empty in all rows takes no room.
function fit() {
  findingGrid.root.classList.toggle('uncounted', !counted);
  findingGrid.root.setAttribute('aria-colcount', counted ? 5 : 4);
}

// The first paint comes before all work.
async function start() {
  prepare();
  let drawn = 0;
  await parts('part', (finding) => {
    findings.push(finding);
    counted ||= finding.linked_from_count !== undefined;
    if (findings.length === 1000 || findings.length === drawn + 20000) {
      drawn = findings.length;
      fit();
      if (drawn === 1000) findingGrid.fill(findings.map((_, place) => place));
      byId('count').textContent = `Reading the findings: ${grouped(drawn)}…`;
    }
  });
  fit();
  applyFindings();
  await parts('urls', (row) => urlItems.push(urlOf(row)));
  await parts('scripts', ([place, facts]) => { urlItems[place].scripts = facts; });
  applyUrls();
  connectAll();
  document.documentElement.dataset.ready = 'true';
}

requestAnimationFrame(() => setTimeout(start));
