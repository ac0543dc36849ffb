// The URLs of the run: each is in the sitemap, or has one reason why not.

const reasons = JSON.parse(byId('reasons').textContent);
const totalUrls = Number(byId('reasons').dataset.total);
const urlItems = [];

const urlOf = ([url, status, reason, title, depth, inlinks, time, lastmod, evidence]) =>
  ({ url, status, reason, title, depth, inlinks, time, lastmod, evidence });
const duration = (millis) => (millis === null ? '' : millis < 1000 ? `${millis} ms` : `${(millis / 1000).toFixed(1)} s`);
const text = (value) => (value === null ? '' : typeof value === 'number' ? grouped(value) : value);
const statusOf = (item) => (item.status === null ? '' : String(item.status));

const urlTable = {
  items: urlItems,
  columns: { status: 'Status', subject: 'URL and title', reason: 'Sitemap', depth: 'Depth', inlinks: 'In-links', time: 'Time', lastmod: 'Modified' },
  keys: {
    status: (item) => item.status ?? 1000,
    subject: (item) => item.url,
    reason: (item) => item.reason ?? '',
    depth: (item) => item.depth ?? Infinity,
    inlinks: (item) => item.inlinks,
    time: (item) => item.time ?? -1,
    lastmod: (item) => item.lastmod ?? '',
  },
  cells: (item) => [
    cell('status', statusOf(item)),
    cell('subject', path(item.url), site(item.title ?? '', 'line muted')),
    cell('reason', item.reason ?? 'listed'),
    cell('depth', text(item.depth)),
    cell('inlinks', grouped(item.inlinks)),
    cell('time', duration(item.time)),
    cell('lastmod', site((item.lastmod ?? '').slice(0, 10))),
  ],
  details: (item) => urlDetails(item),
  empty: 'No URL matches these filters.',
};

function isWantedUrl(item, wanted) {
  if (wanted.listed && (item.reason === null) !== (wanted.listed === 'listed')) return false;
  if (wanted.reason && item.reason !== wanted.reason) return false;
  if (wanted.status && (item.status === null ? 'none' : `${Math.floor(item.status / 100)}xx`) !== wanted.status) return false;
  if (!wanted.text) return true;
  return item.url.toLowerCase().includes(wanted.text) || (item.title ?? '').toLowerCase().includes(wanted.text);
}

const isAbout = (finding, url) => finding.url === url || finding.urls?.includes(url);

// The facts of a page whose scripts ran, without them and with them.
function sides(facts) {
  const head = ['Fact', 'Without scripts', 'With scripts'].map((title) => element('th', { scope: 'col' }, title));
  const rows = facts.map(([name, without, after]) => element('tr', without === after ? {} : { class: 'changed' },
    element('th', { scope: 'row' }, name), element('td', {}, site(without)), element('td', {}, site(after))));
  return part('What its scripts do', element('table', { class: 'sides' }, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)));
}

function urlDetails(item) {
  const rows = [['Status', statusOf(item) || 'none'], ['Title', item.title], ['Clicks from the start', text(item.depth)],
    ['Pages that link to it', grouped(item.inlinks)], ['Response time', duration(item.time)], ['Last modified', item.lastmod]];
  const about = findings.filter((finding) => isAbout(finding, item.url));
  return [
    element('h2', { id: 'detail-title' }, link(item.url)),
    element('p', {}, item.reason === null ? 'It is in the sitemap.' : `It is not in the sitemap: it ${reasons[item.reason] ?? item.reason}.`),
    ...(item.evidence ? urls('The other URL', [item.evidence]) : []),
    element('dl', {}, ...rows.filter(([, value]) => value).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, site(value))])),
    ...(item.scripts ? sides(item.scripts) : []),
    ...(about.length ? part('Findings', list('ul', about.map((finding) => element('span', {}, badge(finding.severity), ' ', finding.code, ': ', site(finding.message))))) : []),
  ];
}
