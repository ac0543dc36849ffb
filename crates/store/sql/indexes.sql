-- Indexes that questions need and a crawl does not: dropped when a run begins, built when it is judged.
CREATE INDEX IF NOT EXISTS visit_by_url ON visit (url, run);
CREATE INDEX IF NOT EXISTS entry_by_url ON entry (url, run);
CREATE INDEX IF NOT EXISTS url_by_key ON url (key);
-- What an earlier run left of statistics (say, a trial of three pages) would make a scan of all visits look short.
PRAGMA analysis_limit = 1000;
ANALYZE visit;
ANALYZE entry;
