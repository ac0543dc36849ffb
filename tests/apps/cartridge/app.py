"""Cartridge, a shop, with the pages and the blog of Mezzanine: the truth is its database. Products, categories, posts and
pages are what one would submit; lists of posts by kind, month and author are neutral; further pages of lists, cart,
wishlist, searches, and what one logs in by are not. (Nothing distinguishes an empty cart and an empty wishlist from pages; there
is content enough that the share of junk allows for the two.)"""
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
PRODUCTS, POSTS = 56, 28
SHELVES = [place.capitalize() for place in PLACES[:5]]


def project(place):
    return place.data / "shop"


def environment(place):
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "shop.settings", "LOCPATH": str(place.cache / "locale")}


def write(place, actions):
    place.python(HERE / "content.py", cwd=project(place), env=environment(place), input=json.dumps(actions))


def product(article):
    return {"kind": "product", "title": article.title, "text": article.text, "category": SHELVES[article.number % 5],
            "price": 4 + 3 * article.number, "number": article.number, "when": article.day.isoformat()}


def post(article):
    return {"kind": "post", "title": f"On the {article.title.lower()}", "text": article.text,
            "category": ("News", "Craft")[article.number % 2], "when": article.day.isoformat()}


def fill(place):
    project(place).mkdir()
    path = f"{place.cache / 'venv/bin'}:{os.environ['PATH']}"
    place.python(place.cache / "venv/bin/mezzanine-project", "-a", "cartridge", "shop", project(place), cwd=place.data,
                 env={**os.environ, "PATH": path})
    shutil.copy(HERE / "settings.py", project(place) / "shop/local_settings.py")
    for words in (["createdb", "--noinput", "--nodata"], ["collectstatic", "--noinput", "--verbosity", "0"]):
        place.python("manage.py", *words, cwd=project(place), env=environment(place))
    products, posts, others = articles(PRODUCTS, 71), articles(POSTS, 72), articles(len(SHELVES) + 2, 73)
    begin = products[0].day.isoformat()
    actions = [{"kind": "site", "domain": place.base.partition("//")[2], "when": begin}]
    for shelf, article in zip(SHELVES, others):
        actions.append({"kind": "category", "title": shelf, "text": article.paragraphs[0], "when": begin})
    pages = (("About us", others[-1].text), ("How we deliver", others[-2].text))
    actions += [{"kind": "page", "title": title, "text": text, "when": begin} for title, text in pages]
    write(place, actions + list(map(product, products)) + list(map(post, posts)))


def serve(place):
    socket = place.run / "shop.socket"
    words = [place.cache / "venv/bin/gunicorn", "--chdir", project(place), "--bind", f"unix:{socket}", "--workers", 2,
             "shop.wsgi"]
    locations = f"location /static/ {{ alias {project(place)}/static/; }} {proxy_to(socket)}"
    return [(words, environment(place))], locations


def rows(place, query):
    return sqlite3.connect(project(place) / "shop.db").execute(query).fetchall()


def products(place):
    return [f"/shop/product/{slug}/" for (slug,) in rows(place, "select slug from shop_product order by id")]


def posts(place):
    return [f"/blog/{slug}/" for (slug,) in rows(place, "select slug from blog_blogpost order by id")]


def truth(place):
    must = ["/", *products(place), *posts(place)] + [f"/{slug}/" for (slug,) in rows(place, "select slug from pages_page")]
    may = [f"/blog/category/{slug}/" for (slug,) in rows(place, "select slug from blog_blogcategory")]
    may += ["/blog/author/ada/"]
    for (date,) in rows(place, "select publish_date from blog_blogpost"):
        day = datetime.datetime.fromisoformat(date)
        may += [f"/blog/archive/{day.year}/", f"/blog/archive/{day.year}/{day.month}/"]
    return Truth(must, may)


def slug(path):
    return path.rstrip("/").rpartition("/")[2]


def edit(place):
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    before, written, new = products(place), posts(place), articles(PRODUCTS + 1, 74)[-1]
    write(place, [
        {"kind": "edit", "of": "product", "slug": slug(before[6]), "text": UPDATE, "when": now},
        {"kind": "edit", "of": "post", "slug": slug(written[3]), "text": UPDATE, "when": now},
        {"kind": "delete", "slug": slug(before[19]), "when": now},
        {**product(new), "when": now},
    ])
    added = set(products(place)) - set(before)
    return Edits(edited=[before[6], written[3]], added=added, deleted=[before[19]],
                 follows=["/blog/", *(f"/{shelf.lower()}/" for shelf in SHELVES)])
