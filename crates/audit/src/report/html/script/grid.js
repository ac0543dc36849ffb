// Tables of which only the rows in sight exist.

const around = 6;

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

// A table has `items`, `columns` with their titles, `keys` that the columns sort by, the `cells` of an item, the
// `details` of an item, and the text for no rows, `empty`.
class Grid {
  rows = [];
  active = 0;
  made = new Map();
  space = element('div', { class: 'space', 'aria-hidden': 'true' });
  column = '';
  descending = false;
  height = 54;

  constructor(id, table) {
    Object.assign(this, { table, root: byId(id), head: byId(id).querySelector('.head'), body: byId(id).querySelector('.body') });
    this.head.append(element('div', { role: 'row', 'aria-rowindex': 1 }, ...Object.entries(table.columns).map((column) => this.header(column))));
    this.root.setAttribute('aria-colcount', Object.keys(table.columns).length);
    let frame = 0;
    this.body.addEventListener('scroll', () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => this.draw());
    }, { passive: true });
    this.body.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', (event) => {
      const row = event.target.closest('[role="row"]');
      if (row?.dataset.place) show(this, Number(row.dataset.place));
    });
  }

  header([column, title]) {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => this.sortBy(column));
    const made = element('div', { role: 'columnheader', 'aria-sort': 'none', class: column }, button);
    made.dataset.column = column;
    return made;
  }

  sortBy(column) {
    this.descending = this.column === column && !this.descending;
    this.column = column;
    for (const header of this.head.querySelectorAll('[role="columnheader"]')) {
      const way = header.dataset.column === column ? (this.descending ? 'descending' : 'ascending') : 'none';
      header.setAttribute('aria-sort', way);
    }
    this.fill(this.rows.sort((a, b) => a - b));
  }

  // Equal ones stay in the order of the report.
  sorted(places) {
    const key = this.table.keys[this.column];
    if (!key) return places;
    const of = this.table.items.map(key);
    const way = this.descending ? -1 : 1;
    return places.sort((a, b) => (of[a] < of[b] ? -way : of[a] > of[b] ? way : a - b));
  }

  item(place) {
    return this.table.items[this.rows[place]];
  }

  rowOf(place) {
    const row = element('div', { role: 'row', 'aria-rowindex': place + 2, tabindex: place === this.active ? 0 : -1 }, ...this.table.cells(this.item(place)));
    row.dataset.place = place;
    row.style.transform = `translateY(${place * this.height}px)`;
    return row;
  }

  sight() {
    const from = Math.max(0, Math.floor(this.body.scrollTop / this.height) - around);
    const to = Math.min(this.rows.length, Math.ceil((this.body.scrollTop + this.body.clientHeight) / this.height) + around);
    return [from, to];
  }

  // A row that has the focus stays, or the focus would be lost.
  draw() {
    const [from, to] = this.sight();
    for (const [place, row] of this.made) {
      if ((place < from || place >= to) && row !== document.activeElement) {
        row.remove();
        this.made.delete(place);
      }
    }
    for (let place = from; place < to; place += 1) {
      if (this.made.has(place)) continue;
      const row = this.rowOf(place);
      this.made.set(place, row);
      const after = [...this.body.children].find((other) => Number(other.dataset.place) > place);
      this.body.insertBefore(row, after ?? null);
    }
  }

  redraw() {
    this.height = parseFloat(getComputedStyle(this.root).getPropertyValue('--row'));
    this.made.clear();
    this.space.style.height = `${this.rows.length * this.height}px`;
    this.body.replaceChildren(this.space);
    if (!this.rows.length) this.body.append(element('div', { role: 'row', class: 'empty' }, cell('subject', this.table.empty)));
    this.root.setAttribute('aria-rowcount', this.rows.length + 1);
    this.draw();
  }

  fill(places) {
    this.rows = this.sorted(places);
    this.active = 0;
    this.body.scrollTop = 0;
    this.redraw();
  }

  // Makes a row the one that keys act upon, and brings it into sight.
  move(place) {
    this.made.get(this.active)?.setAttribute('tabindex', '-1');
    this.active = Math.max(0, Math.min(this.rows.length - 1, place));
    const top = this.active * this.height;
    const bottom = top + this.height - this.body.clientHeight;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    if (bottom > this.body.scrollTop) this.body.scrollTop = bottom;
    this.draw();
    this.made.get(this.active)?.setAttribute('tabindex', '0');
  }

  focus() {
    this.made.get(this.active)?.focus({ preventScroll: true });
    this.draw();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.height) - 1);
    const { active } = this;
    const steps = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: this.rows.length - 1 };
    const to = steps[event.key];
    if (!this.rows.length || (to === undefined && event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    if (to === undefined) return show(this, active);
    this.move(to);
    this.focus();
  }
}
