"""Sets up each application, judges the crawls, and counts: main.py [NAME]… [-- OPTION…]

An application is a folder beside this one, with
  install FOLDER   which installs what it needs, and keeps what is its own in FOLDER
  app.py           with the functions fill(place), which makes the content; serve(place), which gives the commands that
                   serve it and the nginx configuration to reach them; truth(place), which reads from the application's
                   own data what there is; and edit(place), which edits two things, adds one and deletes one.
                   Where they are there, OPTIONS are words for each crawl, BOUND_SECONDS how long one may take, and
                   REQUESTS_PER_PAGE how many requests each page may cost.
"""
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from judge import Judge
from served import Place, Site

APPS = pathlib.Path(__file__).resolve().parent.parent
INSTALL_SECONDS = 900


def names():
    return sorted(path.parent.name for path in APPS.glob("*/app.py"))


def load(name):
    spec = importlib.util.spec_from_file_location(name, APPS / name / "app.py")
    app = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(app)
    return app


def install(name, cache):
    done = subprocess.run(["bash", APPS / name / "install", cache / name], stdout=sys.stderr, stderr=subprocess.PIPE,
                          text=True, timeout=INSTALL_SECONDS)
    if done.returncode:
        raise RuntimeError(f"not installed: {done.stderr.strip()[-1500:]}")


def check(name, cache, options):
    """Returns how many rows passed and how many failed."""
    judge = None
    try:
        install(name, cache)
        app, results = load(name), cache / "results" / name
        shutil.rmtree(results, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="apps-") as work:
            place = Place(cache / name, results, work)
            app.fill(place)
            with Site(app, place) as site:
                judge = Judge(site, options)
                judge.go()
            shutil.copytree(place.run, results / "run", ignore=shutil.ignore_patterns("*.socket"))
    except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError, ET.ParseError) as error:
        print(f"{name} works FAIL {type(error).__name__}: {error}", flush=True)
        return (judge.passed if judge else 0), (judge.failed if judge else 0) + 1
    return judge.passed, judge.failed


def main(words):
    at = words.index("--") if "--" in words else len(words)
    wanted, options = words[:at] or names(), words[at + 1:]
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        sys.exit(f"no such application: {', '.join(unknown)} (there are {', '.join(names())})")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))    # so that what was started is ended
    sums = [check(name, pathlib.Path(os.environ["APPS_CACHE"]), options) for name in wanted]
    passed, failed = map(sum, zip(*sums))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
