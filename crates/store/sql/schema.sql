-- The record, format 1. docs/database.md describes the views; the tables may change with the format.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- One crawl. `state` is running, whole, cut or failed.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    ended INTEGER,
    state TEXT NOT NULL,
    starts TEXT NOT NULL,
    settings TEXT NOT NULL,
    scope TEXT,
    summary TEXT
) STRICT;

-- Every URL ever known; the row id is its number everywhere. No unique index: `Seen` keeps them apart.
CREATE TABLE url (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, text TEXT NOT NULL) STRICT;

CREATE TABLE origin (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

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
    PRIMARY KEY (run, origin, lane, seq)
) STRICT, WITHOUT ROWID;

-- One request, or the decision not to make it.
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
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- What a page said, once for each change of it.
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    facts_hash INTEGER NOT NULL,
    facts TEXT NOT NULL,
    blocks BLOB NOT NULL
) STRICT;
CREATE INDEX version_by_url ON version (url);

-- Links hang on versions, by sets: what many pages share (navigation, footers) is stored once.
CREATE TABLE version_set (
    version INTEGER NOT NULL,
    "set" INTEGER NOT NULL,
    PRIMARY KEY (version, "set")
) STRICT, WITHOUT ROWID;
CREATE TABLE link (
    "set" INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    rel INTEGER NOT NULL,
    region INTEGER NOT NULL,
    anchor TEXT,
    fragment TEXT,
    PRIMARY KEY ("set", pos)
) STRICT, WITHOUT ROWID;

-- Entries of the site's own sitemaps and feeds.
CREATE TABLE entry (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    url INTEGER NOT NULL,
    lastmod TEXT,
    PRIMARY KEY (run, file, pos)
) STRICT, WITHOUT ROWID;

-- Listed (reason is null), or left out for one reason.
CREATE TABLE verdict (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    reason INTEGER,
    evidence INTEGER,
    inlinks INTEGER NOT NULL,
    depth INTEGER,
    lastmod TEXT,
    lastmod_from TEXT,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;

-- Sitemap files as they were published: those of the live set, and those that left it with the last publication.
CREATE TABLE part (
    name TEXT PRIMARY KEY,
    run INTEGER NOT NULL,
    live INTEGER NOT NULL,
    hash TEXT NOT NULL,
    urls INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    lastmod TEXT NOT NULL
) STRICT, WITHOUT ROWID;
