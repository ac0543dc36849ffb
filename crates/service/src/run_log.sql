-- The log of a run, of the newest runs of each job.
CREATE TABLE job_run_log (
    id    INTEGER PRIMARY KEY,
    -- job_run.id
    run   INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    -- info, warning or error
    level TEXT NOT NULL,
    text  TEXT NOT NULL
) STRICT;
CREATE INDEX job_run_log_by_run ON job_run_log (run, id);
