// The findings stand in the page in parts, so that reading them never holds it up for long.

const rules = new Map(JSON.parse(byId('rules').textContent).map((rule) => [rule.code, rule]));
const order = new Map([...rules.keys()].map((code, place) => [code, place]));
const grave = { error: 0, warning: 1, notice: 2 };
const total = Number(byId('rules').dataset.total);
const findings = [];
// True if any of them has the number of pages that link to it.
let counted = false;

const subject = (finding) => finding.url ?? finding.site ?? finding.pattern ?? finding.urls?.[0] ?? '';

async function read(progress) {
  for (const part of document.querySelectorAll('script.part')) {
    for (const finding of JSON.parse(part.textContent)) {
      findings.push(finding);
      counted ||= finding.linked_from_count !== undefined;
    }
    part.remove();
    progress(findings.length);
    await pause();
  }
}

// What each column sorts by. Equal ones stay in the order of the report: the gravest first.
const keys = {
  severity: (finding) => grave[finding.severity],
  code: (finding) => order.get(finding.code) ?? order.size,
  state: (finding) => finding.state + (finding.accepted ? ' accepted' : ''),
  subject,
  count: (finding) => finding.linked_from_count ?? -1,
};

function sorted(places, column, descending) {
  if (!column) return places;
  const of = findings.map(keys[column]);
  const way = descending ? -1 : 1;
  return places.sort((a, b) => (of[a] < of[b] ? -way : of[a] > of[b] ? way : a - b));
}

const isOfState = (finding, state) =>
  state === 'accepted' ? finding.accepted === true : state === 'open' ? !finding.accepted : finding.state === state;

function matches(finding, wanted) {
  if (!wanted.severities.has(finding.severity)) return false;
  if (wanted.code && finding.code !== wanted.code) return false;
  if (wanted.state && !isOfState(finding, wanted.state)) return false;
  if (!wanted.text) return true;
  const texts = [finding.message, finding.final, ...(finding.urls ?? [subject(finding)])];
  return texts.some((text) => text?.toLowerCase().includes(wanted.text));
}

function chosen(wanted) {
  const places = [];
  findings.forEach((finding, place) => matches(finding, wanted) && places.push(place));
  return places;
}
