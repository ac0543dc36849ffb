"""Crawls one application three times and says what was right."""
import math
import os
import subprocess
import time

import sitemaps
from served import answer, status_of

BOUND_SECONDS = 120    # where the application names no other
JUNK_SHARE = 0.02    # of the listed URLs, rounded up
REQUESTS_PER_PAGE = 3    # where the application names no other
REQUESTS_BESIDES = 100
CLOCK_SECONDS = 2
SHOWN = 150    # characters of a URL
LATER_ROWS = ("unchanged-run", "edited-members", "edited-dates", "edited-others")


class Truth:
    """What the application itself says there is. Paths; `must` may hold tuples of paths that are the same page."""

    def __init__(self, must, may=()):
        self.must = [(page,) if isinstance(page, str) else tuple(page) for page in must]
        self.may = set(may)


class Edits:
    """What was edited between two crawls. `follows`: pages that show the edits, and so may have a new date or not."""

    def __init__(self, edited, added, deleted, follows=()):
        self.edited, self.added, self.deleted, self.follows = map(list, (edited, added, deleted, follows))


class Judge:
    def __init__(self, site, options):
        self.site, self.options, self.place = site, options, site.place
        self.name, self.passed, self.failed = site.app.__name__, 0, 0
        self.out = self.place.results / "map"
        self.bound = getattr(site.app, "BOUND_SECONDS", BOUND_SECONDS)
        self.per_page = getattr(site.app, "REQUESTS_PER_PAGE", REQUESTS_PER_PAGE)

    def row(self, name, problems, detail=""):
        """Prints a row, which fails where there are problems."""
        good = not problems
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        text = "; ".join(filter(None, [detail, *problems]))
        print(f"{self.name} {name} {'PASS' if good else 'FAIL'} {text}".rstrip(), flush=True)
        return good

    def urls(self, paths):
        return [sitemaps.spelling(self.place.base + path) for path in paths]

    def some(self, urls, count=5):
        shown = [url.replace(self.place.base, "")[:SHOWN] for url in sorted(urls)]
        return " ".join(shown[:count]) + (f" … {len(shown)} in all" if len(shown) > count else "")

    def truth(self):
        """Returns the groups of URLs that must be listed, and the set of those that may be."""
        truth = self.site.app.truth(self.place)
        return [self.urls(group) for group in truth.must], set(self.urls(truth.may))

    def crawl(self, number):
        """Returns whether a crawl ended well, what it lists, and what went wrong."""
        options = [*getattr(self.site.app, "OPTIONS", ()), *self.options]
        words = [os.environ["MAPWRIGHT"], "crawl", self.site.start_url, "--out", str(self.out), "--state", f"{self.out}-state",
                 "--no-progress", *options]
        begin = time.monotonic()
        with open(self.place.results / f"crawl{number}.log", "wb") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            code = status_of(process, self.bound)
        problems = [] if code == 0 else [f"exit {code}" if code is not None else f"stopped after {self.bound} s"]
        return problems, sitemaps.listed(self.out), time.monotonic() - begin

    def go(self):
        must, may = self.truth()
        unanswered = [group[0] for group in must if not any(answer(url) == 200 for url in group)]
        self.row("truth", [f"do not answer: {self.some(unanswered)}"] if unanswered else [], f"{len(must)} pages")
        before = len(self.site.requests())
        problems, first, seconds = self.crawl(1)
        requested = len(self.site.requests()) - before
        ended = self.row("ends", problems, f"{seconds:.0f} s, {len(first)} listed")
        real = len(must) + len(may & set(first))
        allowed = self.per_page * real + REQUESTS_BESIDES
        problems = ["too many"] if requested > allowed else [] if ended else ["and the crawl did not end well"]
        self.row("requests", problems, f"{requested} for {real} pages, {allowed} allowed")
        chosen = self.members(must, may, first)
        if ended:
            self.later_runs(first, chosen)
        else:
            for name in LATER_ROWS:
                self.row(name, ["the first crawl did not end well"])

    def members(self, must, may, first):
        """Judges recall and junk; returns those of the pages that must be listed that are."""
        found = [[url for url in group if url in first] for group in must]
        missing = [group[0] for group, there in zip(must, found) if not there]
        chosen = {there[0] for there in found if there}
        junk = [url for url in first if url not in chosen and url not in may]
        for name, urls in (("missing", missing), ("junk", junk), ("listed", first)):
            (self.place.results / f"{name}.txt").write_text("".join(f"{url}\n" for url in sorted(urls)))
        self.row("recall", [f"missing: {self.some(missing)}"] if missing else [], f"{len(chosen)} of {len(must)}")
        much = len(junk) > math.ceil(JUNK_SHARE * len(first)) or not first
        self.row("junk", [f"such as {self.some(junk)}"] if much else [], f"{len(junk)} of {len(first)}")
        return chosen

    def later_runs(self, first, chosen):
        before = sitemaps.files(self.out)
        until_next_second()
        problems, second, _ = self.crawl(2)
        moved = [url for url in {**first, **second} if first.get(url, 0) != second.get(url, 0)]
        if sitemaps.files(self.out) != before:
            problems.append(f"files differ: {self.some(moved)}")
        self.row(LATER_ROWS[0], problems)

        until_next_second()
        begin = time.time()
        edits = self.site.app.edit(self.place)
        same = {url: group for group in self.truth()[0] for url in group}
        until_next_second()
        problems, third, _ = self.crawl(3)
        end = time.time()

        def entry(url):
            return next((each for each in same.get(url, [url]) if each in third), None)

        new, gone = self.urls(edits.edited + edits.added), self.urls(edits.deleted)
        lost = [url for url in new if not entry(url)]
        stayed = [url for url in gone if entry(url)]
        problems += [f"not listed: {self.some(lost)}"] if lost else []
        problems += [f"still listed: {self.some(stayed)}"] if stayed else []
        self.row(LATER_ROWS[1], problems)

        wrong = [f"{url} {third.get(entry(url))}" for url in new if not dated(third.get(entry(url)), begin, end)]
        self.row(LATER_ROWS[2], [f"no date of these edits: {self.some(wrong)}"] if wrong else [])

        free = {each for url in new + gone + self.urls(edits.follows) for each in same.get(url, [url])}
        others = [url for url in chosen - free if url in second]
        after = {url: third.get(url, "gone") for url in others}
        moved = [f"{url} {second[url]}→{after[url]}" for url in others if after[url] != second[url]]
        self.row(LATER_ROWS[3], [f"{len(moved)} moved: {self.some(moved)}"] if moved else [], f"{len(others)} pages")


def dated(date, begin, end):
    """Returns whether a date lies in the time of the edits, give or take what clocks round away."""
    if not date:
        return False
    first, last = sitemaps.span(date)
    return last >= begin - CLOCK_SECONDS and first <= end + CLOCK_SECONDS


def until_next_second():
    """Waits for the clock, as dates know no less than a second."""
    wanted = int(time.time()) + 1
    while time.time() < wanted:
        time.sleep(0.02)
