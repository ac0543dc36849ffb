-- The record, format 1. docs/database.md describes the views; the tables may change with the format.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- One crawl. `state` is running, complete, cut, failed or dropped (cut, and let go for a new one); `kind` is sitemap
-- or audit. `roots` are those of
-- the scope, once it is settled; `summary` are its figures, as JSON, once it has ended, and `published` is one of them; `known` is the number of the last URL known before; `answered`: a start URL answered.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    ended INTEGER,
    state TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'sitemap',
    starts TEXT NOT NULL,
    settings TEXT NOT NULL,
    roots TEXT,
    summary TEXT,
    published INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    answered INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Every URL ever known; the row id is its number everywhere. No unique index: `Seen` keeps them apart.
CREATE TABLE url (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, text TEXT NOT NULL) STRICT;

-- `run` is the last one in which pages of the origin were queued.
CREATE TABLE origin (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, run INTEGER NOT NULL DEFAULT 0) STRICT;

-- How a URL first became known in a run, and why it is not fetched, if so.
CREATE TABLE found (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    via INTEGER NOT NULL,
    parent INTEGER,
    depth INTEGER NOT NULL,
    refused INTEGER,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;
-- The few URLs that a run begins with or tests: start URLs (0), the URL list (1), tests of parameters (12).
CREATE INDEX found_by_via ON found (run, via) WHERE via < 2 OR via = 12;

-- Unfinished = stands here. A row leaves in the transaction that records its last visit.
CREATE TABLE queue (
    run INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    url INTEGER NOT NULL,
    purpose INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    level INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, origin, lane, seq)
) STRICT, WITHOUT ROWID;

-- One request, or the decision not to make it. `reused`: 1 if a 304 revalidated what an earlier run stored, 2 if
-- the page was not requested; the row then holds what that run saw. `scripts`: why the scripts of the page ran, or did
-- not (RenderReason); `template`: the template that decided.
CREATE TABLE visit (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    url INTEGER NOT NULL,
    purpose INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    last INTEGER NOT NULL,
    at INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    status INTEGER,
    failure TEXT,
    detail TEXT,
    robots_status INTEGER,
    robots_line INTEGER,
    robots_rule TEXT,
    first_byte_ms INTEGER,
    total_ms INTEGER,
    wire_bytes INTEGER NOT NULL,
    body_bytes INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    media TEXT,
    media_kind TEXT,
    sniffed TEXT,
    etag TEXT,
    last_modified TEXT,
    target INTEGER,
    canonical INTEGER,
    canonical_fault TEXT,
    noindex INTEGER NOT NULL,
    nofollow INTEGER NOT NULL,
    version INTEGER,
    reused INTEGER NOT NULL DEFAULT 0,
    scripts INTEGER,
    template INTEGER,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- What is remembered of a page from run to run: the last answer that was fine, which a 304 revalidates; what its
-- content was and when it changed; how long it has been failing. `content` is the version that is its content as last
-- judged, `since` the version in which that content first stood, `slots` the places on it that are no content; `at` is 0
-- once another answer followed; `rendered`: its scripts ran, so that a 304 says nothing about it;
-- `judged` and `failed` are the last runs in which that was so, `listed` the first since it was out.
CREATE TABLE memory (
    url INTEGER PRIMARY KEY,
    basis INTEGER NOT NULL,
    at INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    status INTEGER NOT NULL,
    body_bytes INTEGER NOT NULL,
    media TEXT,
    media_kind TEXT,
    sniffed TEXT,
    etag TEXT,
    last_modified TEXT,
    target INTEGER,
    canonical INTEGER,
    canonical_fault TEXT,
    noindex INTEGER NOT NULL,
    nofollow INTEGER NOT NULL,
    version INTEGER,
    judged INTEGER,
    content INTEGER,
    content_basis INTEGER,
    since INTEGER,
    slots BLOB,
    first INTEGER,
    checked INTEGER,
    checks INTEGER NOT NULL DEFAULT 0,
    changed_after INTEGER,
    changed INTEGER,
    changes INTEGER NOT NULL DEFAULT 0,
    lastmod TEXT,
    lastmod_from TEXT,
    listed INTEGER,
    rendered INTEGER NOT NULL DEFAULT 0,
    scripts INTEGER,
    template INTEGER,
    failing INTEGER NOT NULL DEFAULT 0,
    failed INTEGER
) STRICT;

-- The rendering of a page in a run: what it took, and what went wrong meanwhile (`details`, a JSON object). `cut`: it was
-- not rendered to its end, or not at all. `links` is a JSON array of the first links that only scripts made.
CREATE TABLE rendering (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    details TEXT NOT NULL,
    links TEXT NOT NULL,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;

-- The templates of pages: what their scripts do (`class`, TemplateClass), learnt from pages of them that were rendered:
-- `unchanged` made no difference, `evidence` is the difference that one made. `run` is the last that learnt something.
CREATE TABLE template (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    class INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    evidence TEXT,
    run INTEGER NOT NULL
) STRICT;

-- What a page said, once for each change of it. `dates`, `directives` and `sets` are JSON; `robots` is the text of a
-- robots file; `facts` is all the rest, JSON too: as text, or packed (a blob, see src/facts.rs). `sets` names the sets of
-- its links; `sketch` is what near duplicates are found by.
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    facts_hash INTEGER NOT NULL,
    title TEXT,
    description TEXT,
    dates TEXT,
    directives TEXT,
    robots TEXT,
    scripts INTEGER NOT NULL DEFAULT 0,
    text_bytes INTEGER NOT NULL DEFAULT 0,
    facts ANY,
    blocks BLOB NOT NULL,
    sets TEXT NOT NULL,
    sketch BLOB,
    prose_bytes INTEGER NOT NULL DEFAULT 0,
    fields INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The beginnings of a version's first blocks in UTF-8, a line each; those of boilerplate are empty. No row where no text
-- is kept. Not compressed, which would take a tenth of the time of a crawl.
CREATE TABLE block_text (version INTEGER PRIMARY KEY, lines BLOB NOT NULL) STRICT;

-- The roles of URL parameters, learnt from what pages with and without them say, and the comparisons that prove each.
-- `pattern` is that of the paths; `parameter` its name, with `;` before it in a path. `example` is the last URL compared.
CREATE TABLE parameter (
    pattern TEXT NOT NULL,
    parameter TEXT NOT NULL,
    role TEXT,
    equal INTEGER NOT NULL,
    sorted INTEGER NOT NULL,
    subset INTEGER NOT NULL,
    differs INTEGER NOT NULL,
    urls INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (pattern, parameter)
) STRICT, WITHOUT ROWID;

-- The links of one region of a page; a set that many pages share (navigation, footers) is stored once. `links` is a JSON
-- array in the order of the page. A number is the target of an `a` element without `rel` or fragment, whose text is the
-- usual one of that target; any other link is an array: target, kind, rel, text (null: the usual one), fragment.
CREATE TABLE link_set (id INTEGER PRIMARY KEY, region INTEGER NOT NULL, links TEXT NOT NULL) STRICT;

-- The usual text of the links to a URL: that of the first one met.
CREATE TABLE anchor (url INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;

-- Entries of the site's own sitemaps and feeds. `alternates` is a JSON array of those in other languages, where there
-- are any: code and URL of each.
CREATE TABLE entry (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    url INTEGER NOT NULL,
    lastmod TEXT,
    alternates TEXT,
    PRIMARY KEY (run, file, pos)
) STRICT, WITHOUT ROWID;

-- What is wrong with the site's own sitemaps, by rule: where first, and how often.
CREATE TABLE fault (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    rule TEXT NOT NULL,
    line INTEGER NOT NULL,
    what TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, file, rule)
) STRICT, WITHOUT ROWID;

-- Listed (reason is null), or left out for one reason. `parent` is the page before it on the shortest click path;
-- `content` distinguishes one state of its content from another; `kept` counts the runs for which it has been failing and
-- stays listed all the same.
CREATE TABLE verdict (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    reason INTEGER,
    evidence INTEGER,
    inlinks INTEGER NOT NULL,
    depth INTEGER,
    lastmod TEXT,
    lastmod_from TEXT,
    parent INTEGER,
    content INTEGER,
    kept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;

-- Sitemap files as they were published: those of the live set, and those that left it and are still there. `bound` is the
-- first key of the range that a part holds, of the series `series`; `dropped` is when a part left the live set, in
-- milliseconds since 1970.
CREATE TABLE part (
    name TEXT PRIMARY KEY,
    series TEXT NOT NULL DEFAULT '',
    bound TEXT NOT NULL DEFAULT '',
    run INTEGER NOT NULL,
    live INTEGER NOT NULL,
    hash TEXT NOT NULL,
    urls INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    lastmod TEXT NOT NULL,
    dropped INTEGER
) STRICT, WITHOUT ROWID;

-- Runs that were audited; `complete`: everything that was requested was fetched, so that what is not found is gone.
CREATE TABLE audit (
    run INTEGER PRIMARY KEY,
    complete INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    warnings INTEGER NOT NULL,
    notices INTEGER NOT NULL
) STRICT;

-- Findings of the audits, each once: `since` is the run in which it was found first, or again; `last` the newest in which
-- it was found; `before` the last run in which it was found before it was gone for a while (0 if it never was). `subject`
-- is what it is about where that is no URL of the record.
CREATE TABLE finding (
    key INTEGER PRIMARY KEY,
    code TEXT NOT NULL,
    url INTEGER,
    subject TEXT,
    since INTEGER NOT NULL,
    last INTEGER NOT NULL,
    before INTEGER NOT NULL DEFAULT 0
) STRICT;
