"""The parts of the benchmark of rendering: each measures, and returns rows of the table with the runs behind them."""
from dataclasses import dataclass
from math import sqrt

MB = 1_000_000
TABS = 4
LATENCY_MS, LATENCY_TABS = 200, 16
START = 1.0    # seconds that the start of the browser may take
SAMPLE, PROBES = 0.02, 3    # of the pages of a template without need, these are rendered


@dataclass
class Row:
    """A metric beside what it is compared with, and what is wanted of their ratio, or of the metric itself."""
    metric: str
    value: str
    peer: str
    ratio: str
    wanted: str
    met: bool


def ratio_row(metric, value, peer, unit, most=None, least=None, digits=1):
    ratio = value / peer if peer else float("inf")
    shown = lambda number: f"{number:.{digits}f} {unit}".strip()
    wanted = f"≤ {most:.2f}×" if most is not None else f"≥ {least:.2f}×"
    met = ratio <= most if most is not None else ratio >= least
    return Row(metric, shown(value), shown(peer), f"{ratio:.2f}×", wanted, met)


def limit_row(metric, value, most, unit="", peer="–", digits=0):
    shown = lambda number: f"{number:.{digits}f} {unit}".strip()
    return Row(metric, shown(value), peer, "–", f"≤ {shown(most)}", value <= most)


def application(bench, pages):
    """An application of which every page needs its scripts, beside crawlee and two loops."""
    with bench.site("app", pages) as site:
        ours = bench.crawl(site, "always", TABS)
        kept, new = bench.floor(site, "kept", TABS), bench.floor(site, "new", TABS)
        crawlee = bench.crawlee(site, TABS)
        calls = {("/api" + (path if path != "/" else "/page/0")) for path in site.links}
        paths = set(site.links)
    assets = asset_bytes(bench) / 1000
    runs = [ours, crawlee, kept, new]
    counts = ours.counts
    code = {"/assets/app.js", "/assets/index.css"}
    lacking = sum(path not in counts for path in paths | calls | code)
    pictures = sum(count for path, count in counts.items() if path.startswith("/picture/") or path.endswith("woff2"))
    cpu = lambda peer, name, most: ratio_row(f"CPU a page, against {name}", ours.cpu_ms(), peer.cpu_ms(), "ms", most=most)
    rows = [
        cpu(crawlee, "crawlee", 0.5), cpu(kept, "a kept tab", 1.5), cpu(new, "a new tab a page", 0.6),
        limit_row(f"CPU a page of mapwright's own process, {assets:.0f} KB of assets", ours.own_ms(), 8, "ms", digits=1),
        ratio_row(f"pages/s, {TABS} tabs, against crawlee", ours.rate(), crawlee.rate(), "", least=3),
        limit_row("pages of which not all links were found", ours.incomplete, 0, peer=f"crawlee {crawlee.incomplete}"),
        limit_row("documents requested again", repeated(ours, paths), 0, peer=f"crawlee {repeated(crawlee, paths)}"),
        limit_row("scripts and style sheets requested again", repeated(ours, code), 0, peer=f"crawlee {repeated(crawlee, code)}"),
        limit_row("calls requested again", repeated(ours, calls), 0, peer=f"crawlee {repeated(crawlee, calls)}"),
        limit_row("documents, scripts, style sheets and calls not requested", lacking, 0),
        limit_row("pictures and fonts requested", pictures, 0),
        limit_row(f"peak memory, {TABS} tabs", ours.memory / MB, 350 + 100 * TABS, "MB",
                  peer=f"crawlee {crawlee.memory / MB:.0f} MB"),
    ]
    return rows, runs


def repeated(run, paths):
    """How many requests of these paths came after the first of each."""
    return sum(run.counts.get(path, 0) - 1 for path in paths if run.counts.get(path, 0) > 1)


def asset_bytes(bench):
    """The bytes of scripts and style sheets that a page loads."""
    return sum(file.stat().st_size for file in (bench.home / "app/dist/assets").iterdir() if file.suffix in (".js", ".css"))


def latency(bench, pages, at_once):
    """The same application behind a slow server, against the pages/s of `at_once`, its run without latency."""
    with bench.site("app", pages, LATENCY_MS) as site:
        slow = bench.crawl(site, "always", LATENCY_TABS)
    slow.tool += f", {LATENCY_MS} ms latency, {LATENCY_TABS} tabs"
    name = f"pages/s at {LATENCY_MS} ms latency, {LATENCY_TABS} tabs, against none, {TABS} tabs"
    memory = limit_row(f"peak memory, {LATENCY_TABS} tabs", slow.memory / MB, 350 + 100 * LATENCY_TABS, "MB")
    incomplete = limit_row("… pages of which not all links were found", slow.incomplete, 0)
    return [ratio_row(name, slow.rate(), at_once.rate(), "", least=0.9), incomplete, memory], [slow]


def plain(bench, pages):
    """A site made by its server, whose scripts change nothing."""
    with bench.site("plain", pages) as site:
        nevers = [bench.crawl(site, "never", TABS) for _ in range(3)]
        autos = [bench.crawl(site, "auto", TABS) for _ in range(3)]
    best = lambda runs: min(runs, key=lambda run: run.wall)
    never, auto = best(nevers), best(autos)
    allowed = 1.1 * never.wall + START + auto.summary["rendering"]["seconds"] / TABS
    renders = sum(run.pages for run in autos) / len(autos)
    # Each record draws another sample; nineteen in twenty means lie within two standard deviations.
    deviation = sqrt(SAMPLE * pages / len(autos))
    return [
        limit_row(f"auto, {pages} pages without need: renders (mean of three crawls; 3, 2 %, two standard deviations)",
                  renders, PROBES + SAMPLE * pages + 2 * deviation, digits=1),
        limit_row("… wall time, against 1.1 × never, the renders and a second for the browser's start", auto.wall, allowed,
                  "s", peer=f"never {never.wall:.1f} s", digits=1),
    ], []


def mixed(bench, pages):
    """A site of plain pages, lists that a script makes, and pages of an application."""
    with bench.site("mixed", pages) as site:
        auto, always = bench.crawl(site, "auto", TABS), bench.crawl(site, "always", TABS)
    always.tool += ", mixed site"
    differing = len(auto.listed ^ always.listed)
    return [
        limit_row(f"auto, mixed site of {pages} pages: renders", auto.pages, 0.12 * pages, peer=f"always {always.pages}"),
        ratio_row("… CPU, against always", auto.cpu, always.cpu, "s", most=0.15),
        limit_row("… pages listed by one of auto and always alone", differing, 0, peer=f"always {len(always.listed)} listed"),
        limit_row("… pages not listed by auto", pages - len(auto.listed), 0),
    ], [always]


def memory(bench):
    """Peak memory of a long crawl against that of a short one."""
    runs = []
    for pages in [100, 1000]:
        with bench.site("app", pages) as site:
            runs.append(bench.crawl(site, "always", TABS))
    short, long = runs
    return [ratio_row("peak memory of 1,000 pages, against 100", long.memory / MB, short.memory / MB, "MB", most=1.3, digits=0),
            limit_row("… pages of which not all links were found", long.incomplete, 0)], [long]
