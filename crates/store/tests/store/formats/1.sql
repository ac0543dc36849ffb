-- A record of format 1: one whole run and one that was cut, of a small site.

PRAGMA application_id = 0x4D575254;
PRAGMA user_version = 1;

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

CREATE INDEX visit_by_url ON visit (url, run);
CREATE INDEX entry_by_url ON entry (url, run);

CREATE TABLE outcome_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
CREATE TABLE via_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
CREATE TABLE reason_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
CREATE TABLE kind_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
CREATE TABLE region_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;

CREATE VIEW v_runs AS
SELECT id AS run, datetime(started / 1000, 'unixepoch') AS started, datetime(ended / 1000, 'unixepoch') AS ended,
       state, starts, settings, summary
FROM run;

-- The newest run.
CREATE VIEW v_last_run AS SELECT max(id) AS run FROM run;

-- The last word on each URL of the newest run: prerequisites apart, what was seen of it.
CREATE VIEW v_pages AS
SELECT v.run, u.text AS url, v.status, o.name AS outcome, v.failure, v.media, v.body_bytes, v.first_byte_ms, v.total_ms,
       t.text AS redirect, c.text AS canonical, v.noindex, v.nofollow, d.depth, d.inlinks,
       json_extract(x.facts, '$.title') AS title, json_extract(x.facts, '$.description') AS description,
       d.lastmod, d.lastmod_from, d.reason IS NULL AS listed, r.name AS reason
FROM visit v
JOIN url u ON u.id = v.url
JOIN outcome_name o ON o.code = v.outcome
LEFT JOIN url t ON t.id = v.target
LEFT JOIN url c ON c.id = v.canonical
LEFT JOIN version x ON x.id = v.version
LEFT JOIN verdict d ON d.run = v.run AND d.url = v.url
LEFT JOIN reason_name r ON r.code = d.reason
WHERE v.last = 1 AND v.purpose = 0 AND v.run = (SELECT run FROM v_last_run);

-- Links of the pages of the newest run.
CREATE VIEW v_links AS
SELECT v.run, u.text AS source, t.text AS target, k.name AS kind, g.name AS region, l.anchor, l.fragment,
       l.rel & 1 AS nofollow, (l.rel >> 1) & 1 AS ugc, (l.rel >> 2) & 1 AS sponsored
FROM visit v
JOIN version_set s ON s.version = v.version
JOIN link l ON l."set" = s."set"
JOIN url u ON u.id = v.url
JOIN url t ON t.id = l.target
JOIN kind_name k ON k.code = l.kind
JOIN region_name g ON g.code = l.region
WHERE v.last = 1 AND v.purpose = 0 AND v.run = (SELECT run FROM v_last_run);

-- URLs of the newest run that are not in the sitemap, each with its one reason.
CREATE VIEW v_excluded AS
SELECT d.run, u.text AS url, r.name AS reason, r.meaning, e.text AS evidence
FROM verdict d
JOIN url u ON u.id = d.url
JOIN reason_name r ON r.code = d.reason
LEFT JOIN url e ON e.id = d.evidence
WHERE d.run = (SELECT run FROM v_last_run);

-- URLs of the newest run that are in the sitemap.
CREATE VIEW v_listed AS
SELECT d.run, u.text AS url, d.lastmod, d.lastmod_from, d.depth, d.inlinks
FROM verdict d
JOIN url u ON u.id = d.url
WHERE d.reason IS NULL AND d.run = (SELECT run FROM v_last_run);

-- What is broken in the newest run, and the pages that link there.
CREATE VIEW v_broken AS
SELECT p.url, p.status, p.outcome, p.failure, l.source, l.anchor
FROM v_pages p LEFT JOIN v_links l ON l.target = p.url
WHERE p.outcome IN ('no-answer', 'broken') OR p.status >= 400;

INSERT INTO meta VALUES
    ('key0', '2101264999340432896'),
    ('key1', '8573754197354714321'),
    ('serial', '3');

INSERT INTO run VALUES
    (1, 1795190400000, 1795190404000, 'whole', '["http://example.com/"]', '{}', 'http://example.com/', '{"listed": 3}'),
    (2, 1795276800000, 1795276801000, 'cut', '["http://example.com/"]', '{}', 'http://example.com/', '{"listed": 2}');

INSERT INTO url VALUES
    (1, 3286032985247014226, 'http://example.com/'),
    (2, -347979230618351716, 'http://example.com/robots.txt'),
    (3, -5436929425652286626, 'http://example.com/sitemap.xml'),
    (4, -2259697252613152282, 'http://example.com/a'),
    (5, -1944353038427137323, 'http://example.com/old'),
    (6, -9206024079064242705, 'http://example.com/closed'),
    (7, 5712976004329478123, 'http://example.com/d.pdf'),
    (8, -3218307805312446766, 'http://other.example/'),
    (9, 498219598804151443, 'http://example.com/listed'),
    (10, 3002786517950947242, 'http://example.com/gone'),
    (11, -7482370203463613599, 'http://example.com/new');

INSERT INTO origin VALUES
    (1, 'http://example.com');

INSERT INTO found VALUES
    (1, 1, 0, NULL, 0, NULL),
    (1, 3, 8, 2, 1, NULL),
    (1, 4, 2, 1, 1, NULL),
    (1, 5, 2, 1, 1, NULL),
    (1, 6, 2, 1, 1, NULL),
    (1, 7, 2, 1, 1, NULL),
    (1, 8, 2, 1, 1, 0),
    (1, 9, 9, 3, 2, NULL),
    (1, 10, 2, 4, 2, NULL),
    (2, 1, 0, NULL, 0, NULL),
    (2, 4, 2, 1, 1, NULL),
    (2, 11, 2, 1, 1, NULL);

INSERT INTO queue VALUES
    (2, 1, 2, 2, 4, 0, 1, 0, 0, 0, 0),
    (2, 1, 2, 3, 11, 0, 1, 0, 0, 0, 0);

INSERT INTO visit VALUES
    (1, 1, 2, 1, 0, 1, 1795190400200, 1, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 72, 72, 0, 'text/plain', 'text', 'text', NULL, NULL, NULL, NULL, NULL, 0, 0, NULL),
    (1, 2, 1, 0, 0, 1, 1795190400200, 0, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 146, 146, 0, 'text/html', 'html', 'html', NULL, NULL, NULL, NULL, NULL, 0, 0, 1),
    (1, 3, 3, 2, 0, 1, 1795190400300, 1, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 187, 187, 0, 'application/xml', 'xml', 'text', NULL, NULL, NULL, NULL, NULL, 0, 0, NULL),
    (1, 4, 6, 0, 0, 1, 1795190400400, 7, NULL, NULL, NULL, NULL, 2, 'Disallow: /closed', NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL),
    (1, 5, 4, 0, 0, 1, 1795190400400, 0, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 51, 51, 0, 'text/html', 'html', 'html', '"a1"', 'Thu, 05 Nov 2026 08:00:00 GMT', NULL, NULL, NULL, 0, 0, 2),
    (1, 6, 5, 0, 0, 1, 1795190400400, 3, 301, NULL, NULL, NULL, NULL, NULL, 12, 20, 0, 0, 0, NULL, 'other', NULL, NULL, NULL, 4, NULL, NULL, 0, 0, NULL),
    (1, 7, 7, 0, 0, 1, 1795190400400, 1, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 10, 10, 0, 'application/pdf', 'pdf', 'pdf', NULL, NULL, NULL, NULL, NULL, 0, 0, 3),
    (1, 8, 9, 0, 0, 1, 1795190400500, 0, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 52, 52, 0, 'text/html', 'html', 'html', NULL, NULL, NULL, NULL, NULL, 0, 0, 4),
    (1, 9, 10, 0, 0, 1, 1795190400500, 2, 404, NULL, NULL, NULL, NULL, NULL, 12, 20, 0, 0, 0, NULL, 'other', NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 5),
    (2, 1, 2, 1, 0, 1, 1795276800000, 1, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 72, 72, 0, 'text/plain', 'text', 'text', NULL, NULL, NULL, NULL, NULL, 0, 0, NULL),
    (2, 2, 1, 0, 0, 1, 1795276800500, 0, 200, NULL, NULL, NULL, NULL, NULL, 12, 20, 146, 146, 0, 'text/html', 'html', 'html', NULL, NULL, NULL, NULL, NULL, 0, 0, 1);

INSERT INTO version VALUES
    (1, 1, 3035503993496018081, -4137325639803756302, '{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":23,"title":"Start"}', X'ec3a1807'),
    (2, 4, -5336165210382827985, -2522519050285888057, '{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":14,"title":"A"}', X'4d55a09d'),
    (3, 7, -7313405388164350995, -4194253661528171027, '{"cut":false,"encoding":"","encoding_from":"detected","scripts":0,"text_bytes":0}', X''),
    (4, 9, -4687628870047624759, 6221178420694003615, '{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":28,"title":"Listed"}', X'40ae97ae'),
    (5, 10, 57047603579828573, -4194253661528171027, '{"cut":false,"encoding":"","encoding_from":"detected","scripts":0,"text_bytes":0}', X'');

INSERT INTO version_set VALUES
    (1, 1),
    (2, 2);

INSERT INTO link VALUES
    (1, 0, 4, 0, 0, 6, 'to a', NULL),
    (1, 1, 5, 0, 0, 6, 'old', NULL),
    (1, 2, 6, 0, 0, 6, 'no', NULL),
    (1, 3, 7, 0, 0, 6, 'd', NULL),
    (1, 4, 8, 0, 0, 6, 'o', NULL),
    (2, 0, 10, 0, 0, 6, 'gone', NULL);

INSERT INTO entry VALUES
    (1, 3, 0, 4, '2026-10-01'),
    (1, 3, 1, 9, NULL);

INSERT INTO verdict VALUES
    (1, 1, NULL, NULL, 0, 0, NULL, NULL),
    (1, 2, 17, NULL, 0, NULL, NULL, NULL),
    (1, 3, 17, NULL, 0, NULL, NULL, NULL),
    (1, 4, NULL, NULL, 1, 1, '2026-11-05T08:00:00Z', 'last-modified'),
    (1, 5, 16, 4, 1, 1, NULL, NULL),
    (1, 6, 4, NULL, 1, 1, NULL, NULL),
    (1, 7, 17, NULL, 1, 1, NULL, NULL),
    (1, 8, 0, NULL, 1, 1, NULL, NULL),
    (1, 9, NULL, NULL, 0, NULL, NULL, NULL),
    (1, 10, 15, NULL, 1, 2, NULL, NULL),
    (2, 1, NULL, NULL, 0, 0, NULL, NULL),
    (2, 4, NULL, NULL, 1, 1, '2026-11-05T08:00:00Z', 'last-modified'),
    (2, 11, 10, NULL, 1, 1, NULL, NULL);

INSERT INTO part VALUES
    ('sitemap-1.xml.gz', 1, 0, '1111111111111111', 2, 230, 'http://example.com/', 'http://example.com/a', '2026-11-19T16:00:04Z'),
    ('sitemap-2.xml.gz', 1, 1, '2222222222222222', 2, 230, 'http://example.com/', 'http://example.com/a', '2026-11-20T16:00:04Z'),
    ('sitemap-3.xml.gz', 1, 1, '3333333333333333', 1, 120, 'http://example.com/listed', 'http://example.com/listed', '2026-11-20T16:00:04Z'),
    ('sitemap-other.example-1.xml.gz', 1, 1, '4444444444444444', 1, 120, 'http://other.example/', 'http://other.example/', '2026-11-20T16:00:04Z');
