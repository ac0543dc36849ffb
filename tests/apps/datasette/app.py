"""Datasette over a small catalogue: the truth is the database. Its rows and tables are pages; sorts, facets, filters,
free SQL and further pages of a table are not."""
import sqlite3

from judge import Edits, Truth
from served import proxy_to
from texts import PLACES, UPDATE, articles

PAGE_SIZE = 20
REQUESTS_PER_PAGE = 12    # each table's columns, facets and days are filters of one another: samples of each are requested
SCHEMA = """
create table places (id integer primary key, name text);
create table notes (id integer primary key, title text, place_id integer references places(id), day text, body text);
"""


def database(place):
    return sqlite3.connect(place.data / "village.db")


def fill(place):
    with database(place) as db:
        db.executescript(SCHEMA)
        db.executemany("insert into places values (?, ?)", enumerate(PLACES, 1))
        db.executemany("insert into notes values (?, ?, ?, ?, ?)", map(row, articles(40, 11)))


def row(article):
    return (article.number, article.title, PLACES.index(article.place) + 1, article.day.date().isoformat(), article.text)


def serve(place):
    socket = place.run / "datasette.socket"
    words = [place.cache / "venv/bin/datasette", "serve", place.data / "village.db", "--uds", socket,
             "--setting", "default_page_size", PAGE_SIZE]
    return [(words, None)], proxy_to(socket)


def truth(place):
    db = database(place)
    must = ["/", "/village", "/village/places", "/village/notes"]
    must += [f"/village/{table}/{key}" for table in ("places", "notes") for (key,) in db.execute(f"select id from {table}")]
    # The notes of one place: what a category is elsewhere.
    may = [f"/village/notes?place_id={key}" for (key,) in db.execute("select id from places")]
    return Truth(must, may)


def edit(place):
    with database(place) as db:
        db.execute("update notes set body = body || ? where id in (7, 23)", ("\n\n" + UPDATE,))
        db.execute("delete from notes where id = 31")
        db.execute("insert into notes values (?, ?, ?, ?, ?)", row(articles(41, 11)[40]))
    note = "/village/notes/{}".format
    lists = ["/", "/village", "/village/notes", *(f"/village/places/{key}" for key in range(1, len(PLACES) + 1))]
    return Edits(edited=[note(7), note(23)], added=[note(41)], deleted=[note(31)], follows=lists)
