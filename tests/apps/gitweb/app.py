"""Gitweb over two repositories: the truth is git itself. The list of projects, each summary, and what the head's tree
holds are pages; commits are neutral, and what hangs on a name (a branch, a tag, the one author, whose commits each
commit links as a search); raw files, diffs, histories, and trees and files at old commits are not.

Gitweb marks every page nofollow, which whoever wants it crawled must overrule."""
import os
import time

from judge import Edits, Truth
from served import fastcgi_to, run
from texts import UPDATE, articles

OPTIONS = ["--follow-nofollow"]
BOUND_SECONDS = 600
REQUESTS_PER_PAGE = 60    # 26 commits, each with every file in eight views: samples of each view of each folder
COMMITS = {"granary": 16, "tannery": 10}
FOLDERS = ("notes", "plans")
REFS = ("HEAD", "refs/heads/main", "refs/tags/v1")
ENVIRONMENT = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
               "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}


def git(place, name, *words, **options):
    return run(["git", "-C", place.data / f"{name}.git", *words], env=ENVIRONMENT, **options)


def fill(place):
    for seed, (name, count) in enumerate(COMMITS.items(), 31):
        folder = place.data / f"{name}.git"
        run(["git", "init", "--quiet", "--bare", "--initial-branch=main", folder], env=ENVIRONMENT)
        (folder / "description").write_text(f"What is known of the {name}\n")
        for article in articles(count, seed):
            files = {f"{FOLDERS[article.number % 2]}/{article.slug}.txt": f"{article.title}\n\n{article.text}\n"}
            if article.number == 1:
                files["README"] = f"The {name}\n\n{article.paragraphs[0]}\n"
            commit(place, name, article.title, int(article.day.timestamp()), files, first=article.number == 1)
        git(place, name, "tag", "v1", "main~3")


def commit(place, name, message, when, files, first=False, gone=()):
    lines = ["commit refs/heads/main", f"committer Ada <ada@example.com> {when} +0000", *data(message)]
    lines += [] if first else ["from refs/heads/main^0"]
    lines += [f"D {path}" for path in gone]
    for path, text in files.items():
        lines += [f"M 100644 inline {path}", *data(text)]
    git(place, name, "fast-import", "--quiet", input="\n".join(lines) + "\n")


def data(text):
    return [f"data {len(text.encode())}", text]


def serve(place):
    socket = place.run / "gitweb.socket"
    configuration = place.run / "gitweb.conf"
    configuration.write_text(f"""
        $projectroot = '{place.data}';
        @stylesheets = ('/static/gitweb.css');
        $logo = '/static/git-logo.png'; $favicon = '/static/git-favicon.png'; $javascript = '/static/gitweb.js';
        $feature{{'pathinfo'}}{{'default'}} = [1];
        $feature{{'blame'}}{{'default'}} = [1];
        1;
    """)
    words = ["fcgiwrap", "-c", "4", "-s", f"unix:{socket}"]
    locations = f"""
        location /static/ {{ alias /usr/share/gitweb/static/; }}
        location / {{ {fastcgi_to(socket, "/usr/share/gitweb/gitweb.cgi", name='""')} }}
    """
    return [(words, {**ENVIRONMENT, "GITWEB_CONFIG": str(configuration)})], locations


def paths(place, name):
    return git(place, name, "ls-tree", "-r", "--name-only", "main").splitlines()


def by_name(view, path):
    """The two equal pages of what the head holds: that of the head, and that of the branch."""
    return tuple(f"{view}/{ref}:/{path}" for ref in REFS[:2])


def truth(place):
    must, may = ["/"], []
    for name in COMMITS:
        at = f"/{name}.git"
        must += [(at, f"{at}/", f"{at}/summary"), (f"{at}/tree", f"{at}/tree/HEAD", f"{at}/tree/HEAD:")]
        must += [by_name(f"{at}/tree", folder) for folder in FOLDERS]
        must += [by_name(f"{at}/blob", path) for path in paths(place, name)]
        may += [f"{at}/{view}" for view in ("log", "shortlog", "commit", "heads", "tags", "search_help")]
        may += [f"{at}/{view}/{ref}" for view in ("log", "shortlog", "tree", "commit") for ref in REFS]
        may += [f"{at}/tree/refs/heads/main:/{folder}" for folder in FOLDERS]
        may += [f"{at}/commit/{commit}" for commit in git(place, name, "rev-list", "main").split()]
        may.append(f"{at}/search?s=Ada;st=author")
    return Truth(must, may)


def edit(place):
    name = "granary"
    held = [path for path in paths(place, name) if "/" in path]
    edited, gone, new = [held[1], held[8]], held[4], "notes/willow-pond.txt"
    files = {path: git(place, name, "show", f"main:{path}") + UPDATE + "\n" for path in edited}
    files[new] = f"The willow pond\n\n{articles(20, 40)[18].text}\n"
    commit(place, name, "What is new", int(time.time()), files, gone=[gone])
    blob = f"/{name}.git/blob/HEAD:/{{}}".format
    lists = ["/", f"/{name}.git", f"/{name}.git/tree", *(f"/{name}.git/tree/HEAD:/{folder}" for folder in FOLDERS)]
    return Edits(edited=map(blob, edited), added=[blob(new)], deleted=[blob(gone)], follows=lists)
