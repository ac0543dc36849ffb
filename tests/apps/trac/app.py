"""Trac: the truth is its database. Wiki pages and tickets are pages, and milestones; reports, the timeline of today, and
the handbook that Trac brings are neutral; histories, differences, sorted queries, earlier days of the timeline and
other formats are not pages."""
import datetime
import json
import os
import sqlite3
from pathlib import Path

from judge import Edits, Truth
from served import proxy_to
from texts import PLACES, UPDATE, articles

PAGES, TICKETS = 22, 26
MILESTONES = ("spring", "summer")
STARTS = ("/wiki", "/wiki/WikiStart", "/")    # equal, and no two of them differ in what means nothing
APPLICATION = "trac.web.main:dispatch_request"
REQUESTS_PER_PAGE = 10    # each ticket has its history, its differences, and three forms of a list to be found by


def database(place):
    return sqlite3.connect(place.data / "trac/db/trac.db")


def write(place, actions):
    place.python(Path(__file__).with_name("content.py"), place.data / "trac", input=json.dumps(actions))


def camel(article):
    return "".join(word.capitalize() for word in article.slug.split("-"))


def page(name, text, when):
    return {"kind": "page", "name": name, "text": text, "when": when.isoformat()}


def ticket(article, milestone):
    fields = {"summary": article.title, "description": article.text, "reporter": "ada", "owner": "grace", "type": "defect",
              "status": "new", "component": article.place, "milestone": milestone, "priority": "major"}
    return {"kind": "ticket", "fields": fields, "when": article.day.isoformat()}


def fill(place):
    place.python("-m", "trac.admin.console", place.data / "trac", "initenv", "Village", "sqlite:db/trac.db")
    pages, tickets = articles(PAGES, 51), articles(TICKETS, 52)
    actions = [{"kind": "clean"}]
    actions += [{"kind": "milestone", "name": name, "text": articles(2, 53)[at].text} for at, name in enumerate(MILESTONES)]
    actions += [{"kind": "component", "name": name} for name in PLACES]
    for article in pages:
        following = camel(pages[article.number % PAGES])
        text = f"= {article.title} =\n\n{article.text}\n\nSee also [wiki:{following}] and #{article.number}.\n"
        actions.append(page(camel(article), text, article.day))
    links = "\n".join(f" * [wiki:{camel(a)} {a.title}]" for a in pages)
    start = f"= Village =\n\n{pages[0].paragraphs[0]}\n\n{links}\n * [wiki:TracGuide Help]\n"
    actions.append(page("WikiStart", start, pages[-1].day))
    for article in tickets:
        actions.append(ticket(article, MILESTONES[article.number % 2]))
        for hours, reply in enumerate(article.replies, 1):
            when = (article.day + datetime.timedelta(hours=hours)).isoformat()
            actions.append({"kind": "comment", "id": article.number, "text": reply, "when": when})
    write(place, actions)


def serve(place):
    socket = place.run / "trac.socket"
    words = [place.cache / "venv/bin/gunicorn", "--bind", f"unix:{socket}", "--threads", 4, APPLICATION]
    return [(words, {**os.environ, "TRAC_ENV": str(place.data / "trac")})], proxy_to(socket)


def truth(place):
    db = database(place)
    written = {name for (name,) in db.execute("select distinct name from wiki where author = 'ada'")}
    brought = {name for (name,) in db.execute("select distinct name from wiki")} - written
    must = [STARTS] + [f"/wiki/{name}" for name in written - {"WikiStart"}]
    must += [f"/ticket/{key}" for (key,) in db.execute("select id from ticket")]
    must += [f"/milestone/{name}" for (name,) in db.execute("select name from milestone")]
    may = [*STARTS, "/timeline", "/roadmap", "/report", "/query", "/search", "/about"]
    may += [f"/wiki/{name}" for name in brought]
    may += [f"/report/{key}{user}" for (key,) in db.execute("select id from report") for user in ("", "?USER=anonymous")]
    # The open tickets of one component, person or kind: what a category is elsewhere.
    for field in ("component", "owner", "reporter", "priority", "type"):
        for (value,) in db.execute(f"select distinct {field} from ticket"):
            may += [f"/query?{field}={value}&status=!closed", f"/query?status=!closed&{field}={value}"]
    return Truth(must, may)


def edit(place):
    pages, now = articles(PAGES, 51), datetime.datetime.now(datetime.timezone.utc)
    edited, gone, new = camel(pages[3]), camel(pages[13]), articles(PAGES + 1, 54)[-1]
    start, text = (
        database(place).execute("select text from wiki where name = ? order by version desc", (name,)).fetchone()[0]
        for name in ("WikiStart", edited)
    )
    write(place, [
        page(edited, text + f"\n{UPDATE}\n", now),
        {"kind": "comment", "id": 9, "text": UPDATE, "when": now.isoformat()},
        {"kind": "delete-page", "name": gone},
        page(camel(new), f"= {new.title} =\n\n{new.text}\n", now),
        page("WikiStart", start + f" * [wiki:{camel(new)} {new.title}]\n", now),
    ])
    # What links the page that is gone shows the link as a missing one.
    return Edits(edited=[f"/wiki/{edited}", "/ticket/9"], added=[f"/wiki/{camel(new)}"], deleted=[f"/wiki/{gone}"],
                 follows=["/wiki", f"/wiki/{camel(pages[12])}"])
