"""Builds the applications, crawls their sites, and counts: main.py [--small | SITE…] [-- OPTION…]

An application is a folder beside this one, with
  package.json, package-lock.json   the packages that it is made of, pinned, where it needs them with their dependencies
  build FOLDER                      which makes FOLDER/SITE for each of its sites, static files; runs in a folder of its
                                    own that has these packages in node_modules
  expected.json                     for each site what is listed, and why (lib/judge.py)
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "apps/lib"))    # after this folder, which has a judge too
from judge import Judge    # noqa: E402
from served import Place, Site, end_group    # noqa: E402

APPS = pathlib.Path(__file__).resolve().parent.parent
SMALL = ["docsify-hash", "swagger-ui"]
BUILD_SECONDS = 600
# Without what a user set, and without what such tools send home.
SETTINGS = {"CI": "1", "DO_NOT_TRACK": "1", "ASTRO_TELEMETRY_DISABLED": "1", "NG_CLI_ANALYTICS": "false"}


class Static:
    """An application that is static files behind nginx."""

    def __init__(self, folder, locations):
        self.folder, self.locations = folder, locations

    def serve(self, _):
        return [], f"root {self.folder}; index index.html; {self.locations}"


def all_sites():
    """Returns {site: (application, what is expected)}."""
    files = sorted(APPS.glob("*/expected.json"))
    return {site: (file.parent.name, expected) for file in files for site, expected in json.loads(file.read_text()).items()}


def build(name, cache):
    """Builds an application where it is not there as its folder has it; returns the folder of its sites."""
    source, built, work = APPS / name, cache / "built" / name, cache / "work" / name
    inputs = [path for path in sorted(source.rglob("*")) if path.is_file() and path.name != "expected.json"]
    digest = hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in inputs)).hexdigest()
    mark = built / "digest"
    if mark.exists() and mark.read_text() == digest:
        return built
    begin = time.monotonic()
    for folder in (built, work):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for file in source.glob("package*.json"):
        shutil.copy(file, work)
    if (work / "package.json").exists():
        quietly(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], work)
    fetched = time.monotonic()
    quietly(["bash", source / "build", built], work)
    shutil.rmtree(work)
    mark.write_text(digest)
    print(f"{name}: packages in {fetched - begin:.0f} s, built in {time.monotonic() - fetched:.0f} s", file=sys.stderr)
    return built


def quietly(words, folder):
    """Runs a command to its end, and shows what it says only where it fails."""
    process = subprocess.Popen([str(word) for word in words], cwd=folder, env={**os.environ, **SETTINGS},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True)
    try:
        said, _ = process.communicate(timeout=BUILD_SECONDS)
    finally:
        end_group(process, signal.SIGKILL)    # and what it left behind
        process.wait()
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, words[:2]))}: exit {process.returncode}: {said[-1500:]}")


def check(name, app, expected, cache, options):
    """Returns how many rows passed and how many failed."""
    judge, results = None, cache / "results" / name
    try:
        built = build(app, cache)
        shutil.rmtree(results, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="scripted-") as work:
            place = Place(cache, results, work)
            with Site(Static(built / name, expected["nginx"]), place) as site:
                judge = Judge(name, site, expected, options)
                judge.go()
            shutil.copytree(place.run, results / "run", ignore=shutil.ignore_patterns("*.socket"))
    except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError, ET.ParseError) as error:
        print(f"{name} works FAIL {type(error).__name__}: {error}", flush=True)
        return (judge.passed if judge else 0), (judge.failed if judge else 0) + 1
    return judge.passed, judge.failed


def main(words):
    at = words.index("--") if "--" in words else len(words)
    sites = all_sites()
    wanted, options = words[:at] or list(sites), words[at + 1:]
    wanted = SMALL if wanted == ["--small"] else wanted
    unknown = [name for name in wanted if name not in sites]
    if unknown:
        sys.exit(f"no such site: {', '.join(unknown)} (there are {', '.join(sites)})")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))    # so that what was started is ended
    cache = pathlib.Path(os.environ["SCRIPTED_CACHE"])
    sums = [check(name, *sites[name], cache, options) for name in wanted]
    passed, failed = map(sum, zip(*sums))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
