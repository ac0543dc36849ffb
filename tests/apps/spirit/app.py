"""Spirit, a forum: the truth is its database. Topics are pages; the list of each category is neutral, and who wrote
what; further pages, links to single posts, logging in on the way to somewhere, and searches are not pages."""
import datetime
import json
import os
import shutil
import sqlite3
from pathlib import Path

from judge import Edits, Truth
from served import proxy_to
from texts import PLACES, UPDATE, articles

HERE = Path(__file__).parent
TOPICS, LONG = 46, 26
USERS = ("ada", "grace", "alan", "edsger")


def environment(place):
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "forum.settings.local", "ST_SITE_URL": f"{place.base}/"}


def project(place):
    return place.data / "forum"


def manage(place, *words):
    place.python(*words, cwd=project(place), env=environment(place))


def write(place, actions):
    place.python(HERE / "content.py", cwd=project(place), env=environment(place), input=json.dumps(actions))


def topic(article):
    return {"kind": "topic", "by": USERS[article.number % 4], "category": article.place.capitalize(), "title": article.title,
            "text": article.text, "when": article.day.isoformat()}


def fill(place):
    path = f"{place.cache / 'venv/bin'}:{os.environ['PATH']}"
    place.python(place.cache / "venv/bin/spirit", "startproject", "forum", cwd=place.data, env={**os.environ, "PATH": path})
    shutil.copy(HERE / "settings.py", project(place) / "forum/settings/local.py")
    manage(place, "manage.py", "migrate", "--verbosity", "0")
    manage(place, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    every = articles(TOPICS, 61)
    begin = every[0].day - datetime.timedelta(days=30)
    actions = [{"kind": "user", "name": name, "when": begin.isoformat()} for name in USERS]
    actions += [{"kind": "category", "name": name.capitalize(), "text": f"All about the {name}"} for name in PLACES]
    actions += [topic(article) for article in every]
    for article in every:
        replies = article.replies if article.number != 5 else [f"{reply.paragraphs[0]}" for reply in articles(LONG, 62)]
        for hours, reply in enumerate(replies, 1):
            when = article.day + datetime.timedelta(hours=hours)
            by = USERS[(article.number + hours) % 4]
            actions.append({"kind": "reply", "topic": article.number, "by": by, "text": reply, "when": when.isoformat()})
    write(place, actions)


def serve(place):
    socket = place.run / "spirit.socket"
    words = [place.cache / "venv/bin/gunicorn", "--chdir", project(place), "--bind", f"unix:{socket}", "--workers", 2,
             "forum.wsgi"]
    locations = f"location /static/ {{ alias {project(place)}/static/; }} {proxy_to(socket)}"
    return [(words, environment(place))], locations


def topics(place):
    db = sqlite3.connect(project(place) / "forum.db")
    found = db.execute("select id, slug from spirit_topic_topic where is_removed = 0")
    return {key: f"/topic/{key}/{slug}/" for key, slug in found}


def truth(place):
    db = sqlite3.connect(project(place) / "forum.db")
    must = ["/", *topics(place).values()]
    may = ["/topic/active/", "/category/", "/search/"]
    may += [f"/category/{key}/{slug}/" for key, slug in db.execute("select id, slug from spirit_category_category")]
    for key, slug in db.execute("select user_id, slug from spirit_user_userprofile"):
        may += [f"/user/{part}{key}/{slug}/" for part in ("", "topics/", "likes/")]
    return Truth(must, may)


def edit(place):
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    before, new = topics(place), articles(TOPICS + 1, 63)[-1]
    write(place, [
        {"kind": "edit", "topic": 8, "text": UPDATE},
        {"kind": "reply", "topic": 20, "by": "ada", "text": UPDATE, "when": now},
        {"kind": "remove", "topic": 33},
        {**topic(new), "when": now},
    ])
    added = set(topics(place).values()) - set(before.values())
    return Edits(edited=[before[8], before[20]], added=added, deleted=[before[33]], follows=["/"])
