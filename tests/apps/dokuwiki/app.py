"""DokuWiki: the truth is its folder of pages. Edit and source views, revisions, differences, backlinks, media and the
index of names are not pages. Its short trail of "recently viewed" pages differs from visitor to visitor."""
import os
import shutil

from judge import Edits, Truth
from served import fastcgi_to, run
from texts import PLACES, UPDATE, articles

COUNT = 42
SETTINGS = """<?php
$conf['title'] = 'Notes of a village';
$conf['savedir'] = '{data}/content';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['indexdelay'] = 0;
"""


def name(article):
    return f"{article.place}:{article.slug}"


def fill(place):
    wiki, conf, content = place.data / "wiki", place.data / "conf", place.data / "content"
    shutil.copytree("/usr/share/dokuwiki", wiki)
    shutil.copytree("/etc/dokuwiki", conf, ignore_dangling_symlinks=True)
    shutil.copytree("/var/lib/dokuwiki/data", content)
    (wiki / "inc/preload.php").write_text(f"<?php define('DOKU_MAIN_CONF', '{conf}/'); define('DOKU_CONF', '{conf}/');\n")
    (conf / "local.php").write_text(SETTINGS.format(data=place.data))
    (conf / "acl.auth.php").write_text("*  @ALL  1\n")
    (conf / "users.auth.php").write_text("")
    shutil.rmtree(content / "pages")
    every = articles(COUNT, 21)
    for article in every:
        near = [every[(article.number + step) % COUNT] for step in (0, 6, 12)]
        see = "\n".join(f"  * [[{name(other)}|{other.title}]]" for other in near)
        text = f"====== {article.title} ======\n\n{article.text}\n\n===== See also =====\n\n{see}\n"
        write(place, name(article), article.day, text)
    for spot in PLACES:
        there = "\n".join(f"  * [[{name(a)}|{a.title}]]" for a in every if a.place == spot)
        write(place, f"{spot}:start", every[-1].day, f"====== In the {spot} ======\n\n{there}\n")
    spots = "\n".join(f"  * [[{spot}:start|In the {spot}]]" for spot in PLACES)
    write(place, "start", every[-1].day, f"====== Notes of a village ======\n\n{every[0].paragraphs[1]}\n\n{spots}\n")
    write(place, "sidebar", every[0].day, "  * [[start|All notes]]\n  * [[valley:start|The valley]]\n")


def write(place, page, when, text):
    """Writes a page as an edit of that time leaves it behind."""
    second = int(when.timestamp())
    path = place.data / "content/pages" / (page.replace(":", "/") + ".txt")
    changes = place.data / "content/meta" / (page.replace(":", "/") + ".changes")
    for parent in (path.parent, changes.parent):
        parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (second, second))
    changes.write_text(f"{second}\t127.0.0.1\tC\t{page}\tada\tcreated\t\t{len(text)}\n")


def serve(place):
    socket = place.run / "php.socket"
    locations = f"""
        root {place.data}/wiki;
        index doku.php;
        location ~ \\.php$ {{ {fastcgi_to(socket, "$document_root$fastcgi_script_name")} }}
    """
    return [(["php-cgi", "-b", socket], {**os.environ, "PHP_FCGI_CHILDREN": "4", "PHP_FCGI_MAX_REQUESTS": "0"})], locations


def url(page):
    return f"/doku.php?id={page}"


def truth(place):
    pages = place.data / "content/pages"
    held = {str(path.relative_to(pages).with_suffix("")).replace("/", ":") for path in pages.rglob("*.txt")}
    must = [("/doku.php", "/doku.php?id=start", "/")]
    for page in held - {"start", "sidebar"}:
        space, _, last = page.partition(":")
        must.append((url(page), url(f"{space}:")) if last == "start" else url(page))
    return Truth(must, may=[url("sidebar")])


def commit(place, page, text):
    draft = place.run / "draft.txt"
    draft.write_text(text)
    run(["php", place.data / "wiki/bin/dwpage.php", "commit", "--message", "edit", draft, page])


def edit(place):
    every = articles(COUNT, 21)
    edited, gone, new = (every[4], every[17]), every[30], articles(COUNT + 1, 22)[-1]
    for article in edited:
        path = place.data / "content/pages" / (name(article).replace(":", "/") + ".txt")
        commit(place, name(article), path.read_text() + "\n" + UPDATE + "\n")
    commit(place, name(gone), "")
    commit(place, name(new), f"====== {new.title} ======\n\n{new.text}\n")
    start = place.data / f"content/pages/{new.place}/start.txt"
    commit(place, f"{new.place}:start", start.read_text() + f"  * [[{name(new)}|{new.title}]]\n")
    return Edits(edited=[url(name(a)) for a in edited], added=[url(name(new))], deleted=[url(name(gone))],
                 follows=[url(f"{new.place}:start")])
