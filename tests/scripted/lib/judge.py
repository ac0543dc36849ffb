"""Crawls one site with each --render, and says what was right.

What expected.json says of a site:
  why         how a person finds the correct URLs
  nginx       how nginx answers: its locations
  options     words for each crawl, where there are any
  never       the paths that a crawl without scripts lists
  always      the paths that a crawl with scripts lists, all of them or only those that need it
  renders     how many pages whose scripts may run with auto: [least, most]
"""
import json
import os
import subprocess
import time

import sitemaps
from served import status_of

BOUND_SECONDS = 180
SHOWN = 150    # characters of a URL


class Judge:
    def __init__(self, name, site, expected, options):
        self.name, self.site, self.expected, self.options = name, site, expected, options
        self.results, self.base = site.place.results, site.place.base
        self.passed = self.failed = 0

    def row(self, name, problems, detail=""):
        """Prints a row, which fails where there are problems."""
        good = not problems
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        text = "; ".join(filter(None, [detail, *problems]))
        print(f"{self.name} {name} {'PASS' if good else 'FAIL'} {text}".rstrip(), flush=True)

    def some(self, urls, count=5):
        shown = [url.replace(self.base, "")[:SHOWN] for url in sorted(urls)]
        return " ".join(shown[:count]) + (f" … {len(shown)} in all" if len(shown) > count else "")

    def crawl(self, mode, number=1):
        """Returns what went wrong, the summary, what is listed, and the seconds it took."""
        out = self.results / mode
        words = [os.environ["MAPWRIGHT"], "crawl", self.site.start_url, "--render", mode, "--out", str(out), "--state",
                 f"{out}-state", "--no-progress", "--format", "json", *self.expected.get("options", ()), *self.options]
        begin = time.monotonic()
        summary = self.results / f"{mode}{number}.json"
        with open(summary, "wb") as said, open(self.results / f"{mode}{number}.log", "wb") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=log)
            code = status_of(process, BOUND_SECONDS)
        problems = [] if code == 0 else [f"exit {code}" if code is not None else f"stopped after {BOUND_SECONDS} s"]
        text = summary.read_text()
        return problems, json.loads(text) if text else {}, sitemaps.listed(out), time.monotonic() - begin

    def urls(self, mode):
        """Crawls with a mode, and judges what is listed; returns the summary and that."""
        wanted = {sitemaps.spelling(self.base + path) for path in self.expected["never" if mode == "never" else "always"]}
        problems, summary, listed, seconds = self.crawl(mode)
        missing, junk = wanted - set(listed), set(listed) - wanted
        problems += [f"missing: {self.some(missing)}"] if missing else []
        problems += [f"not a page: {self.some(junk)}"] if junk else []
        pages, cut = (summary.get("rendering", {}).get(key, 0) for key in ("pages", "cut"))
        problems += [f"{cut} not rendered to the end"] if cut else []
        rendered = f"{pages} of {summary.get('fetched')} pages rendered, " if mode != "never" else ""
        self.row(f"{mode}-urls", problems, f"{len(listed)} of {len(wanted)}, {rendered}{seconds:.0f} s")
        return pages, listed

    def go(self):
        for mode in ("never", "always"):
            self.urls(mode)
        pages, first = self.urls("auto")
        least, most = self.expected["renders"]
        self.row("renders", [] if least <= pages <= most else [f"{pages}, not {least} to {most}"], f"{pages}")

        before = sitemaps.files(self.results / "auto")
        until_next_second()
        problems, _, second, seconds = self.crawl("auto", 2)
        moved = [url for url in {**first, **second} if first.get(url, 0) != second.get(url, 0)]
        if sitemaps.files(self.results / "auto") != before:
            problems.append(f"files differ: {self.some(moved)}")
        self.row("second-run", problems, f"{seconds:.0f} s")


def until_next_second():
    """Waits for the clock, as dates know no less than a second."""
    wanted = int(time.time()) + 1
    while time.time() < wanted:
        time.sleep(0.02)
