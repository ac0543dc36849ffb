// Times of the pages in the browser's zone, which each of them names; the time in UTC stays as its title.
'use strict';

const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** A time to the minute, written as the pages write it. */
function local(at) {
  const two = (number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const name = zone.formatToParts(at).find((part) => part.type === 'timeZoneName').value;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())} ${name}`;
}

/** Shows the times of a part of the page in the browser's zone. */
function localize(part) {
  for (const place of part.querySelectorAll('time[datetime]')) {
    place.title = place.textContent;
    place.textContent = local(new Date(place.dateTime));
  }
}

localize(document);
