-- The job store: the schedule of each job, the runs of jobs, and the incidents that are reported. Times are milliseconds
-- since 1970, UTC.
CREATE TABLE job_schedule (
    job  TEXT PRIMARY KEY,
    -- ScheduleState, as JSON
    state TEXT NOT NULL
) STRICT;

-- The open incident of a job: what was reported, until the job recovers.
CREATE TABLE incident (
    job  TEXT PRIMARY KEY,
    kind TEXT NOT NULL
) STRICT;

CREATE TABLE job_run (
    id            INTEGER PRIMARY KEY,
    job           TEXT NOT NULL,
    scheduled_for INTEGER NOT NULL,
    -- 0, unless the clock was set back and the same time was due again
    occurrence    INTEGER NOT NULL DEFAULT 0,
    started       INTEGER,
    ended         INTEGER,
    -- the run in the crawl database
    record_run    INTEGER,
    -- running, done, unfinished, failed, refused, missed or skipped
    state         TEXT NOT NULL,
    reason        TEXT NOT NULL DEFAULT '',
    -- JobRunCounts, as JSON
    counts        TEXT NOT NULL DEFAULT '{}',
    -- hints on the site's robots.txt, one a line; NULL if it was not checked
    hints         TEXT,
    UNIQUE (job, scheduled_for, occurrence)
) STRICT;
CREATE INDEX job_run_by_job ON job_run (job, id);

-- The time until which an IndexNow endpoint accepts no requests (Retry-After).
CREATE TABLE indexnow_pause (
    job      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    until    INTEGER NOT NULL,
    PRIMARY KEY (job, endpoint)
) STRICT, WITHOUT ROWID;

-- URLs that an IndexNow endpoint has not accepted yet.
CREATE TABLE indexnow_queue (
    job      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    url      TEXT NOT NULL,
    PRIMARY KEY (job, endpoint, url)
) STRICT, WITHOUT ROWID;
