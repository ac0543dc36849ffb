// Nothing of the site's ever becomes markup: all texts go in as text.

const byId = (id) => document.getElementById(id);

// Control characters and changes of direction, shown as escapes.
const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const visible = (text) => text.replace(acting, (c) => short[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

// An element of ours around nodes and texts.
function element(name, attributes = {}, ...inner) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

// A text of the site, kept from reordering what stands beside it.
const site = (text, kind = '') => element('bdi', kind ? { class: kind } : {}, visible(text));

// A URL: linked only where it leads to a web page and shows as it is.
function link(url) {
  if (!/^https?:\/\//.test(url) || visible(url) !== url) return site(url, 'url');
  return element('a', { href: url, rel: 'noreferrer noopener nofollow', target: '_blank' }, site(url, 'url'));
}

// A text of ours, in which backticks stand around code.
const ours = (text) => element('span', {}, ...text.split('`').map((part, place) => (place % 2 ? element('code', {}, part) : part)));

const grouped = (count) => count.toLocaleString('en-US');
const badge = (severity) => element('span', { class: `badge ${severity}` }, severity);
const pause = () => new Promise((go) => setTimeout(go));
