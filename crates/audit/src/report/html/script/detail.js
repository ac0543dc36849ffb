// The evidence of one finding, or what is known of one URL, beside the table.

const dialog = byId('detail');

const list = (name, items) => element(name, {}, ...items.map((item) => element('li', {}, item)));

function part(title, ...inner) {
  return [element('h3', {}, title), ...inner];
}

function urls(title, found, ordered = false) {
  return found?.length ? part(title, list(ordered ? 'ol' : 'ul', found.map(link))) : [];
}

function referrer(from) {
  const words = from.anchor ? ['“', site(from.anchor), '”'] : ['no text'];
  const where = from.nofollow ? `${from.region}, nofollow` : from.region;
  return element('span', {}, link(from.url), element('br'), element('span', { class: 'muted' }, ...words, ` in ${where}`));
}

function linkedFrom(finding) {
  const shown = finding.linked_from ?? [];
  const count = finding.linked_from_count ?? shown.length;
  if (!count) return [];
  const title = shown.length < count ? `Linked from ${grouped(count)} pages, ${shown.length} of them` : `Linked from ${grouped(count)} page${count === 1 ? '' : 's'}`;
  return part(title, list('ul', shown.map(referrer)));
}

function about(finding) {
  if (finding.urls) return urls('URLs', finding.urls);
  const title = finding.site ? 'Site' : finding.pattern ? 'Pattern' : 'URL';
  return part(title, element('p', {}, finding.pattern ? site(finding.pattern, 'url') : link(subject(finding))));
}

function evidence(finding) {
  const rule = rules.get(finding.code);
  const state = finding.accepted ? `${finding.state}, accepted by the baseline` : finding.state;
  return [
    element('p', {}, badge(finding.severity), ' ', element('span', { class: 'muted' }, state)),
    element('h2', { id: 'detail-title' }, finding.code),
    element('p', {}, site(finding.message)),
    ...(rule ? [...(finding.message === rule.reason ? [] : [element('p', { class: 'muted' }, ours(rule.reason))]), ...part('What to do', element('p', {}, ours(rule.fix)))] : []),
    ...about(finding),
    ...(finding.final ? urls('Leads to', [finding.final]) : []),
    ...urls('On the way', finding.chain, true),
    ...linkedFrom(finding),
    ...urls('Listed in', finding.sitemaps),
    ...urls('Reached through', finding.entrances),
    ...urls('Examples', finding.examples),
  ];
}

// The table whose row is shown.
let shown = null;

function show(grid, place) {
  shown = grid;
  grid.move(place);
  byId('evidence').replaceChildren(...grid.table.details(grid.item(place)));
  byId('previous').disabled = place === 0;
  byId('next').disabled = place === grid.rows.length - 1;
  dialog.scrollTop = 0;
  if (!dialog.open) dialog.showModal();
}

byId('previous').addEventListener('click', () => show(shown, shown.active - 1));
byId('next').addEventListener('click', () => show(shown, shown.active + 1));
byId('close').addEventListener('click', () => dialog.close());
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
dialog.addEventListener('close', () => shown?.focus());
