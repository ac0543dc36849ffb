// Parts of a page that change by themselves, such as the list of jobs and the runs of a job: the page is requested again
// from time to time, and the parts that differ are replaced. A part that the keyboard is in stays until it is left.
'use strict';

/** Milliseconds between two looks, and at most while nothing answers. */
const EVERY = 3000;
const AT_MOST = 60000;

const parts = () => document.querySelectorAll('[data-refresh]');

/** The markup of each part as the server sent it, before times were put into the browser's zone. */
const sent = new Map();

/** The markup of a part without what times.js did to it. */
function original(part) {
  const copy = part.cloneNode(true);
  for (const place of copy.querySelectorAll('time[title]')) {
    place.textContent = place.title;
    place.removeAttribute('title');
  }
  return copy.innerHTML;
}

/** A run has begun, or waits, that this page does not follow yet. */
const follows = (page) => page.getElementById('live') !== null || page.getElementById('waiting') !== null;

/** Replaces the parts that differ in a page that was just loaded. */
function replace(page) {
  for (const part of parts()) {
    const now = page.getElementById(part.id);
    if (now === null || part.contains(document.activeElement)) continue;
    const markup = now.innerHTML;
    if (sent.get(part.id) === markup) continue;
    part.replaceChildren(...document.importNode(now, true).childNodes);
    localize(part);
    sent.set(part.id, markup);
  }
}

/** Requests the page again and shows what is new in it. Returns whether there was an answer. */
async function refresh() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    if (answer.redirected) return location.reload();
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (follows(page) && !follows(document)) return location.reload();
    replace(page);
    return true;
  } catch {
    // The service is away for a moment, as at a restart.
    return false;
  }
}

async function lookAgain(pause) {
  const answered = document.hidden || (await refresh());
  const next = answered ? EVERY : Math.min(pause * 2, AT_MOST);
  setTimeout(lookAgain, next, next);
}

for (const part of parts()) sent.set(part.id, original(part));
if (sent.size > 0) setTimeout(lookAgain, EVERY, EVERY);
addEventListener('run-ended', refresh);
