-- From format 1 to format 2: pages are remembered from run to run, a run that was cut goes on, parts keep their ranges.

-- The scope was noted at the end of a run; its roots are noted as soon as they are settled.
ALTER TABLE run RENAME COLUMN scope TO roots;
UPDATE run SET roots = NULL;
ALTER TABLE run ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
-- Without roots a run that was cut can only begin again, and then all that is known was known before.
UPDATE run SET known = (SELECT coalesce(max(id), 0) FROM url) WHERE state IN ('running', 'cut');

ALTER TABLE origin ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE queue ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
ALTER TABLE visit ADD COLUMN carried INTEGER NOT NULL DEFAULT 0;
ALTER TABLE verdict ADD COLUMN parent INTEGER;
ALTER TABLE verdict ADD COLUMN content INTEGER;
ALTER TABLE verdict ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;

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
    failing INTEGER NOT NULL DEFAULT 0,
    failed INTEGER
) STRICT;
-- What the newest whole run saw. Basis 0 is that of no settings: each page is fetched without conditions once. What
-- was listed is noted, so that a bad hour of the first run after this does not throw it out of the sitemap.
INSERT OR REPLACE INTO memory (url, basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag,
    last_modified, target, canonical, canonical_fault, noindex, nofollow, version, listed)
SELECT v.url, 0, v.at, v.outcome, v.status, v.body_bytes, v.media, v.media_kind, v.sniffed, v.etag,
    v.last_modified, v.target, v.canonical, v.canonical_fault, v.noindex, v.nofollow, v.version,
    CASE WHEN d.url IS NOT NULL AND d.reason IS NULL THEN d.run END
FROM visit v LEFT JOIN verdict d ON d.run = v.run AND d.url = v.url
WHERE v.run = (SELECT max(id) FROM run WHERE state = 'whole') AND v.last = 1 AND v.purpose = 0
    AND v.outcome IN (0, 1) AND v.status IN (200, 203)
ORDER BY v.seq;

ALTER TABLE part RENAME TO part_before;
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
    lastmod TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- The series is the name up to its last dash (`sitemap` of `sitemap-7.xml.gz`). A range begins with the first key that
-- the part holds, the first range of a series with the least of all keys.
INSERT INTO part (name, series, bound, run, live, hash, urls, bytes, first, last, lastmod)
SELECT name, series,
    CASE row_number() OVER (PARTITION BY series, live ORDER BY first) WHEN 1 THEN '' ELSE first END,
    run, live, hash, urls, bytes, first, last, lastmod
FROM (SELECT *, rtrim(rtrim(name, replace(name, '-', '')), '-') AS series FROM part_before);
DROP TABLE part_before;
