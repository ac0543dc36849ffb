-- The ledger of the nightly service: which night of which job came to what, and what is to be told of it. Times are
-- milliseconds since 1970, UTC.
CREATE TABLE standing (
    job  TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;

-- The trouble that people were told of last, until the job is well again: failed, refused or missed.
CREATE TABLE trouble (
    job  TEXT PRIMARY KEY,
    kind TEXT NOT NULL
) STRICT;

CREATE TABLE night (
    id    INTEGER PRIMARY KEY,
    job   TEXT NOT NULL,
    due   INTEGER NOT NULL,
    began INTEGER,
    ended INTEGER,
    run   INTEGER,
    -- running, done, unfinished, failed, refused, missed or skipped
    state TEXT NOT NULL,
    why   TEXT NOT NULL DEFAULT '',
    -- NightCounts, as JSON
    counts TEXT NOT NULL DEFAULT '{}',
    -- what is to be done at the site, a line each; nothing where that was not looked at
    advice TEXT,
    UNIQUE (job, due)
) STRICT;
CREATE INDEX night_by_job ON night (job, id);

-- Until when an IndexNow endpoint asked to be left alone.
CREATE TABLE rest (
    job      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    until    INTEGER NOT NULL,
    PRIMARY KEY (job, endpoint)
) STRICT, WITHOUT ROWID;

-- URLs that an IndexNow endpoint has not taken yet.
CREATE TABLE unsent (
    job      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    url      TEXT NOT NULL,
    PRIMARY KEY (job, endpoint, url)
) STRICT, WITHOUT ROWID;
