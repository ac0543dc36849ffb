// The findings stand in the page in parts, so that reading them never holds it up for long.

const rules = new Map(JSON.parse(byId('rules').textContent).map((rule) => [rule.code, rule]));
const order = new Map([...rules.keys()].map((code, place) => [code, place]));
const grave = { error: 0, warning: 1, notice: 2 };
const total = Number(byId('rules').dataset.total);
const findings = [];
// True if any of them has the number of pages that link to it.
let counted = false;

const subject = (finding) => finding.url ?? finding.site ?? finding.pattern ?? finding.urls?.[0] ?? '';

async function parts(kind, take) {
  for (const part of document.querySelectorAll(`script.${kind}`)) {
    JSON.parse(part.textContent).forEach(take);
    part.remove();
    await pause();
  }
}

function findingCells(finding) {
  const mark = finding.accepted ? [element('br'), element('span', { class: 'accepted-mark' }, 'accepted')] : [];
  const count = finding.linked_from_count === undefined ? '' : grouped(finding.linked_from_count);
  return [
    cell('severity', badge(finding.severity)),
    cell('code', finding.code),
    cell('state', finding.state, ...mark),
    cell('subject', path(subject(finding)), site(finding.message, 'line muted')),
    cell('count', count),
  ];
}

const findingTable = {
  items: findings,
  columns: { severity: 'Severity', code: 'Kind', state: 'State', subject: 'URL and message', count: 'Linked from' },
  keys: {
    severity: (finding) => grave[finding.severity],
    code: (finding) => order.get(finding.code) ?? order.size,
    state: (finding) => finding.state + (finding.accepted ? ' accepted' : ''),
    subject,
    count: (finding) => finding.linked_from_count ?? -1,
  },
  cells: findingCells,
  details: (finding) => evidence(finding),
  empty: 'No finding matches these filters.',
};

const isOfState = (finding, state) =>
  state === 'accepted' ? finding.accepted === true : state === 'open' ? !finding.accepted : finding.state === state;

function isWantedFinding(finding, wanted) {
  if (!wanted.severities.has(finding.severity)) return false;
  if (wanted.code && finding.code !== wanted.code) return false;
  if (wanted.state && !isOfState(finding, wanted.state)) return false;
  if (!wanted.text) return true;
  const texts = [finding.message, finding.final, ...(finding.urls ?? [subject(finding)])];
  return texts.some((text) => text?.toLowerCase().includes(wanted.text));
}
