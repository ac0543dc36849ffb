-- The public interface of the record, version 1: views are only ever added to.

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
       x.title, x.description, d.lastmod, d.lastmod_from, d.reason IS NULL AS listed, r.name AS reason, v.reused, d.kept,
       datetime(m.first / 1000, 'unixepoch') AS first_seen, datetime(m.changed / 1000, 'unixepoch') AS changed,
       m.changes
FROM visit v
JOIN url u ON u.id = v.url
JOIN outcome_name o ON o.code = v.outcome
LEFT JOIN url t ON t.id = v.target
LEFT JOIN url c ON c.id = v.canonical
LEFT JOIN version x ON x.id = v.version
LEFT JOIN verdict d ON d.run = v.run AND d.url = v.url
LEFT JOIN reason_name r ON r.code = d.reason
LEFT JOIN memory m ON m.url = v.url
WHERE v.last = 1 AND v.purpose = 0 AND v.run = (SELECT run FROM v_last_run);

-- Links of the pages of the newest run.
CREATE VIEW v_links AS
SELECT run, source, t.text AS target, k.name AS kind, g.name AS region,
       CASE WHEN l.own IS NULL THEN a.text ELSE nullif(l.own, '') END AS anchor, l.fragment,
       l.rel & 1 AS nofollow, (l.rel >> 1) & 1 AS ugc, (l.rel >> 2) & 1 AS sponsored
FROM (
    SELECT v.run, u.text AS source, n.region,
           CASE e.type WHEN 'integer' THEN e.value ELSE json_extract(e.value, '$[0]') END AS target,
           CASE e.type WHEN 'integer' THEN 0 ELSE json_extract(e.value, '$[1]') END AS kind,
           CASE e.type WHEN 'integer' THEN 0 ELSE json_extract(e.value, '$[2]') END AS rel,
           CASE e.type WHEN 'integer' THEN NULL ELSE json_extract(e.value, '$[3]') END AS own,
           CASE e.type WHEN 'integer' THEN NULL ELSE json_extract(e.value, '$[4]') END AS fragment
    FROM visit v
    JOIN version x ON x.id = v.version
    JOIN json_each(x.sets) s
    JOIN link_set n ON n.id = s.value
    JOIN json_each(n.links) e
    JOIN url u ON u.id = v.url
    WHERE v.last = 1 AND v.purpose = 0 AND v.run = (SELECT run FROM v_last_run)
) l
JOIN url t ON t.id = l.target
LEFT JOIN anchor a ON a.url = l.target
JOIN kind_name k ON k.code = l.kind
JOIN region_name g ON g.code = l.region;

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

-- Every answer to a request for a page, in all runs that are kept.
CREATE VIEW v_answers AS
SELECT v.run, u.text AS url, datetime(v.at / 1000, 'unixepoch') AS at, o.name AS outcome, v.status, v.failure,
       v.total_ms, v.reused, v.last
FROM visit v JOIN url u ON u.id = v.url JOIN outcome_name o ON o.code = v.outcome
WHERE v.purpose = 0;

-- Listed URLs that fail for now, and stay listed.
CREATE VIEW v_kept AS
SELECT d.run, u.text AS url, d.kept, v.status, v.failure
FROM verdict d JOIN url u ON u.id = d.url
LEFT JOIN visit v ON v.run = d.run AND v.url = d.url AND v.last = 1 AND v.purpose = 0
WHERE d.kept > 0 AND d.run = (SELECT run FROM v_last_run);

-- The pages of the newest run whose scripts ran, or were to run.
CREATE VIEW v_rendered AS
SELECT r.run, u.text AS url, r.ms, r.requests, r.bytes, r.cut, r.details ->> '$.failure' AS failure,
       coalesce(r.details -> '$.failed', '[]') AS failed, coalesce(r.details -> '$.errors', '[]') AS errors
FROM rendering r JOIN url u ON u.id = r.url WHERE r.run = (SELECT run FROM v_last_run);

-- The sitemap files as they were published last.
CREATE VIEW v_parts AS
SELECT name, urls, bytes, first, last, lastmod FROM part WHERE live = 1 ORDER BY series, bound;

CREATE VIEW v_findings AS
SELECT a.run, f.code, coalesce(u.text, f.subject) AS subject, f.since, f.before > 0 AND f.since = a.run AS regressed
FROM audit a JOIN finding f ON f.last = a.run LEFT JOIN url u ON u.id = f.url
WHERE a.run = (SELECT max(run) FROM audit);
