DROP INDEX IF EXISTS visit_by_url;
DROP INDEX IF EXISTS entry_by_url;
DROP INDEX IF EXISTS url_by_key;
