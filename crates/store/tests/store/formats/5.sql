-- A record of format 5: one whole run and one that was cut, of a small site.

PRAGMA application_id = 0x4D575254;
PRAGMA user_version = 5;
CREATE TABLE anchor (url INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE audit (
    run INTEGER PRIMARY KEY,
    whole INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    warnings INTEGER NOT NULL,
    notices INTEGER NOT NULL
) STRICT;
INSERT INTO audit VALUES(1,1,1,0,2);
CREATE TABLE entry (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    url INTEGER NOT NULL,
    lastmod TEXT,
    PRIMARY KEY (run, file, pos)
) STRICT, WITHOUT ROWID;
INSERT INTO entry VALUES(1,3,0,4,'2026-10-01');
INSERT INTO entry VALUES(1,3,1,9,NULL);
CREATE TABLE fault (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    rule TEXT NOT NULL,
    line INTEGER NOT NULL,
    what TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, file, rule)
) STRICT, WITHOUT ROWID;
INSERT INTO fault VALUES(1,3,'lastmod',4,'yesterday',1);
CREATE TABLE finding (
    key INTEGER PRIMARY KEY,
    code TEXT NOT NULL,
    url INTEGER,
    subject TEXT,
    since INTEGER NOT NULL,
    last INTEGER NOT NULL,
    before INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO finding VALUES(1,'status',6,NULL,1,1,0);
CREATE TABLE found (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    via INTEGER NOT NULL,
    parent INTEGER,
    depth INTEGER NOT NULL,
    refused INTEGER,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;
INSERT INTO found VALUES(1,1,0,NULL,0,NULL);
INSERT INTO found VALUES(1,3,8,2,1,NULL);
INSERT INTO found VALUES(1,4,2,1,1,NULL);
INSERT INTO found VALUES(1,5,2,1,1,NULL);
INSERT INTO found VALUES(1,6,2,1,1,NULL);
INSERT INTO found VALUES(1,7,2,1,1,NULL);
INSERT INTO found VALUES(1,8,2,1,1,0);
INSERT INTO found VALUES(1,9,9,3,2,NULL);
INSERT INTO found VALUES(1,10,2,4,2,NULL);
INSERT INTO found VALUES(2,1,0,NULL,0,NULL);
INSERT INTO found VALUES(2,4,2,1,1,NULL);
INSERT INTO found VALUES(2,11,2,1,1,NULL);
CREATE TABLE kind_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
INSERT INTO kind_name VALUES(0,'anchor',NULL);
INSERT INTO kind_name VALUES(1,'area',NULL);
INSERT INTO kind_name VALUES(2,'frame',NULL);
INSERT INTO kind_name VALUES(3,'sequence',NULL);
INSERT INTO kind_name VALUES(4,'alternate',NULL);
INSERT INTO kind_name VALUES(5,'canonical',NULL);
INSERT INTO kind_name VALUES(6,'feed',NULL);
INSERT INTO kind_name VALUES(7,'refresh',NULL);
INSERT INTO kind_name VALUES(8,'image',NULL);
INSERT INTO kind_name VALUES(9,'media',NULL);
CREATE TABLE link_set (id INTEGER PRIMARY KEY, region INTEGER NOT NULL, links TEXT NOT NULL) STRICT;
INSERT INTO link_set VALUES(1,6,'[[4,0,0,"to a",null],[5,0,0,"old",null],[6,0,0,"no",null],[7,0,0,"d",null],[8,0,0,"o",null]]');
INSERT INTO link_set VALUES(2,6,'[[10,0,0,"gone",null]]');
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
INSERT INTO memory VALUES(1,0,1795190400200,0,200,146,'text/html','html','html',NULL,NULL,NULL,NULL,NULL,0,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,0,NULL,NULL,1,0,NULL);
INSERT INTO memory VALUES(4,0,1795190400400,0,200,51,'text/html','html','html','"a1"','Thu, 05 Nov 2026 08:00:00 GMT',NULL,NULL,NULL,0,0,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,0,NULL,NULL,1,0,NULL);
INSERT INTO memory VALUES(7,0,1795190400400,1,200,10,'application/pdf','pdf','pdf',NULL,NULL,NULL,NULL,NULL,0,0,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO memory VALUES(9,0,1795190400500,0,200,52,'text/html','html','html',NULL,NULL,NULL,NULL,NULL,0,0,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,0,NULL,NULL,1,0,NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('key0','2101264999340432896');
INSERT INTO meta VALUES('key1','8573754197354714321');
INSERT INTO meta VALUES('serial','3');
CREATE TABLE origin (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, run INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO origin VALUES(1,'http://example.com',0);
CREATE TABLE outcome_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
INSERT INTO outcome_name VALUES(0,'page',NULL);
INSERT INTO outcome_name VALUES(1,'file',NULL);
INSERT INTO outcome_name VALUES(2,'status',NULL);
INSERT INTO outcome_name VALUES(3,'redirect',NULL);
INSERT INTO outcome_name VALUES(4,'no-answer',NULL);
INSERT INTO outcome_name VALUES(5,'broken',NULL);
INSERT INTO outcome_name VALUES(6,'throttled',NULL);
INSERT INTO outcome_name VALUES(7,'refused',NULL);
INSERT INTO outcome_name VALUES(8,'guarded',NULL);
INSERT INTO outcome_name VALUES(9,'failed',NULL);
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
    lastmod TEXT NOT NULL, dropped INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO part VALUES('sitemap-1.xml.gz','sitemap','',1,0,'1111111111111111',2,230,'http://example.com/','http://example.com/a','2026-11-19T16:00:04Z',1795190400200);
INSERT INTO part VALUES('sitemap-2.xml.gz','sitemap','',1,1,'2222222222222222',2,230,'http://example.com/','http://example.com/a','2026-11-20T16:00:04Z',NULL);
INSERT INTO part VALUES('sitemap-3.xml.gz','sitemap','http://example.com/listed',1,1,'3333333333333333',1,120,'http://example.com/listed','http://example.com/listed','2026-11-20T16:00:04Z',NULL);
INSERT INTO part VALUES('sitemap-other.example-1.xml.gz','sitemap-other.example','',1,1,'4444444444444444',1,120,'http://other.example/','http://other.example/','2026-11-20T16:00:04Z',NULL);
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
    flags INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, origin, lane, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO queue VALUES(2,1,2,2,4,0,1,0,0,0,0,0);
INSERT INTO queue VALUES(2,1,2,3,11,0,1,0,0,0,0,0);
CREATE TABLE reason_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
INSERT INTO reason_name VALUES(0,'out-of-scope','lies outside the scope of the crawl; --scope widens it');
INSERT INTO reason_name VALUES(1,'excluded','is left out by --include or --exclude');
INSERT INTO reason_name VALUES(2,'nofollow','is linked only with nofollow, which is not followed; --follow-nofollow follows it');
INSERT INTO reason_name VALUES(3,'resource','is known only as an image, a video or the like, which a sitemap of pages does not list');
INSERT INTO reason_name VALUES(4,'robots','is disallowed by robots.txt');
INSERT INTO reason_name VALUES(5,'robots-unavailable','could not be fetched: robots.txt answered with an error, which forbids all');
INSERT INTO reason_name VALUES(6,'address','points to a private or reserved address; --allow-address permits it');
INSERT INTO reason_name VALUES(7,'depth-limit','is deeper than --max-depth');
INSERT INTO reason_name VALUES(8,'url-limit','was not fetched: --max-urls was reached');
INSERT INTO reason_name VALUES(9,'redirect-limit','stands behind more redirects in a row than are followed');
INSERT INTO reason_name VALUES(10,'endless-pattern','belongs to a pattern that grows without end, whose budget is spent');
INSERT INTO reason_name VALUES(11,'not-reached','was not fetched: the crawl was cut before its turn');
INSERT INTO reason_name VALUES(12,'no-answer','gave no answer (the cause is in the record)');
INSERT INTO reason_name VALUES(13,'throttled','was not served: the server asked for fewer requests; crawl more slowly');
INSERT INTO reason_name VALUES(14,'broken-answer','gave an answer that broke off or cannot be decoded');
INSERT INTO reason_name VALUES(15,'status','answered with a status that is no success');
INSERT INTO reason_name VALUES(16,'redirect','redirects to another URL');
INSERT INTO reason_name VALUES(17,'media-type','is no HTML page; --list-types lists other kinds');
INSERT INTO reason_name VALUES(18,'noindex','says noindex');
INSERT INTO reason_name VALUES(19,'canonical','names another URL as its canonical');
INSERT INTO reason_name VALUES(20,'duplicate','has the same bytes as a twin that is listed');
INSERT INTO reason_name VALUES(21,'no-list','is left out by --no-list');
INSERT INTO reason_name VALUES(22,'too-long','has 2,048 characters or more, which the sitemap protocol does not allow');
INSERT INTO reason_name VALUES(23,'failed','could not be read because of a fault in mapwright; please report it');
CREATE TABLE region_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
INSERT INTO region_name VALUES(0,'head',NULL);
INSERT INTO region_name VALUES(1,'nav',NULL);
INSERT INTO region_name VALUES(2,'header',NULL);
INSERT INTO region_name VALUES(3,'main',NULL);
INSERT INTO region_name VALUES(4,'aside',NULL);
INSERT INTO region_name VALUES(5,'footer',NULL);
INSERT INTO region_name VALUES(6,'body',NULL);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    ended INTEGER,
    state TEXT NOT NULL,
    starts TEXT NOT NULL,
    settings TEXT NOT NULL,
    roots TEXT,
    summary TEXT
, known INTEGER NOT NULL DEFAULT 0, answered INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO run VALUES(1,1795190400000,1795190404000,'whole','["http://example.com/"]','{}',NULL,'{"listed": 3}',0,0);
INSERT INTO run VALUES(2,1795276800000,1795276801000,'cut','["http://example.com/"]','{}',NULL,'{"listed": 2}',11,0);
CREATE TABLE url (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
INSERT INTO url VALUES(1,3286032985247014226,'http://example.com/');
INSERT INTO url VALUES(2,-347979230618351716,'http://example.com/robots.txt');
INSERT INTO url VALUES(3,-5436929425652286626,'http://example.com/sitemap.xml');
INSERT INTO url VALUES(4,-2259697252613152282,'http://example.com/a');
INSERT INTO url VALUES(5,-1944353038427137323,'http://example.com/old');
INSERT INTO url VALUES(6,-9206024079064242705,'http://example.com/closed');
INSERT INTO url VALUES(7,5712976004329478123,'http://example.com/d.pdf');
INSERT INTO url VALUES(8,-3218307805312446766,'http://other.example/');
INSERT INTO url VALUES(9,498219598804151443,'http://example.com/listed');
INSERT INTO url VALUES(10,3002786517950947242,'http://example.com/gone');
INSERT INTO url VALUES(11,-7482370203463613599,'http://example.com/new');
CREATE TABLE verdict (
    run INTEGER NOT NULL,
    url INTEGER NOT NULL,
    reason INTEGER,
    evidence INTEGER,
    inlinks INTEGER NOT NULL,
    depth INTEGER,
    lastmod TEXT,
    lastmod_from TEXT, parent INTEGER, content INTEGER, kept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, url)
) STRICT, WITHOUT ROWID;
INSERT INTO verdict VALUES(1,1,NULL,NULL,0,0,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,2,17,NULL,0,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,3,17,NULL,0,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,4,NULL,NULL,1,1,'2026-11-05T08:00:00Z','last-modified',NULL,NULL,0);
INSERT INTO verdict VALUES(1,5,16,4,1,1,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,6,4,NULL,1,1,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,7,17,NULL,1,1,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,8,0,NULL,1,1,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,9,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(1,10,15,NULL,1,2,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(2,1,NULL,NULL,0,0,NULL,NULL,NULL,NULL,0);
INSERT INTO verdict VALUES(2,4,NULL,NULL,1,1,'2026-11-05T08:00:00Z','last-modified',NULL,NULL,0);
INSERT INTO verdict VALUES(2,11,10,NULL,1,1,NULL,NULL,NULL,NULL,0);
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
    sets TEXT NOT NULL
, sketch BLOB) STRICT;
INSERT INTO version VALUES(1,1,3035503993496018081,-4137325639803756302,'Start',NULL,NULL,NULL,NULL,0,23,'{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":23,"title":"Start"}',X'ec3a1807','[1]',NULL);
INSERT INTO version VALUES(2,4,-5336165210382827985,-2522519050285888057,'A',NULL,NULL,NULL,NULL,0,14,'{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":14,"title":"A"}',X'4d55a09d','[2]',X'0102030405060708');
INSERT INTO version VALUES(3,7,-7313405388164350995,-4194253661528171027,NULL,NULL,NULL,NULL,NULL,0,0,'{"cut":false,"encoding":"","encoding_from":"detected","scripts":0,"text_bytes":0}',X'','[]',NULL);
INSERT INTO version VALUES(4,9,-4687628870047624759,6221178420694003615,'Listed',NULL,NULL,NULL,NULL,0,28,'{"cut":false,"encoding":"windows-1252","encoding_from":"detected","scripts":0,"text_bytes":28,"title":"Listed"}',X'40ae97ae','[]',NULL);
INSERT INTO version VALUES(5,10,57047603579828573,-4194253661528171027,NULL,NULL,NULL,NULL,NULL,0,0,'{"cut":false,"encoding":"","encoding_from":"detected","scripts":0,"text_bytes":0}',X'','[]',NULL);
CREATE TABLE via_name (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
INSERT INTO via_name VALUES(0,'start',NULL);
INSERT INTO via_name VALUES(1,'url-list',NULL);
INSERT INTO via_name VALUES(2,'link',NULL);
INSERT INTO via_name VALUES(3,'redirect',NULL);
INSERT INTO via_name VALUES(4,'refresh',NULL);
INSERT INTO via_name VALUES(5,'canonical',NULL);
INSERT INTO via_name VALUES(6,'resource',NULL);
INSERT INTO via_name VALUES(7,'nofollow',NULL);
INSERT INTO via_name VALUES(8,'robots-txt',NULL);
INSERT INTO via_name VALUES(9,'sitemap',NULL);
INSERT INTO via_name VALUES(10,'feed',NULL);
INSERT INTO via_name VALUES(11,'feed-link',NULL);
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
    version INTEGER, carried INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO visit VALUES(1,1,2,1,0,1,1795190400200,1,200,NULL,NULL,NULL,NULL,NULL,12,20,72,72,0,'text/plain','text','text',NULL,NULL,NULL,NULL,NULL,0,0,NULL,0);
INSERT INTO visit VALUES(1,2,1,0,0,1,1795190400200,0,200,NULL,NULL,NULL,NULL,NULL,12,20,146,146,0,'text/html','html','html',NULL,NULL,NULL,NULL,NULL,0,0,1,0);
INSERT INTO visit VALUES(1,3,3,2,0,1,1795190400300,1,200,NULL,NULL,NULL,NULL,NULL,12,20,187,187,0,'application/xml','xml','text',NULL,NULL,NULL,NULL,NULL,0,0,NULL,0);
INSERT INTO visit VALUES(1,4,6,0,0,1,1795190400400,7,NULL,NULL,NULL,NULL,2,'Disallow: /closed',NULL,NULL,0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,NULL,0);
INSERT INTO visit VALUES(1,5,4,0,0,1,1795190400400,0,200,NULL,NULL,NULL,NULL,NULL,12,20,51,51,0,'text/html','html','html','"a1"','Thu, 05 Nov 2026 08:00:00 GMT',NULL,NULL,NULL,0,0,2,0);
INSERT INTO visit VALUES(1,6,5,0,0,1,1795190400400,3,301,NULL,NULL,NULL,NULL,NULL,12,20,0,0,0,NULL,'other',NULL,NULL,NULL,4,NULL,NULL,0,0,NULL,0);
INSERT INTO visit VALUES(1,7,7,0,0,1,1795190400400,1,200,NULL,NULL,NULL,NULL,NULL,12,20,10,10,0,'application/pdf','pdf','pdf',NULL,NULL,NULL,NULL,NULL,0,0,3,0);
INSERT INTO visit VALUES(1,8,9,0,0,1,1795190400500,0,200,NULL,NULL,NULL,NULL,NULL,12,20,52,52,0,'text/html','html','html',NULL,NULL,NULL,NULL,NULL,0,0,4,0);
INSERT INTO visit VALUES(1,9,10,0,0,1,1795190400500,2,404,NULL,NULL,NULL,NULL,NULL,12,20,0,0,0,NULL,'other',NULL,NULL,NULL,NULL,NULL,NULL,0,0,5,0);
INSERT INTO visit VALUES(2,1,2,1,0,1,1795276800000,1,200,NULL,NULL,NULL,NULL,NULL,12,20,72,72,0,'text/plain','text','text',NULL,NULL,NULL,NULL,NULL,0,0,NULL,0);
INSERT INTO visit VALUES(2,2,1,0,0,1,1795276800500,0,200,NULL,NULL,NULL,NULL,NULL,12,20,146,146,0,'text/html','html','html',NULL,NULL,NULL,NULL,NULL,0,0,1,0);
CREATE INDEX entry_by_url ON entry (url, run);
CREATE INDEX visit_by_url ON visit (url, run);
CREATE VIEW v_answers AS
SELECT v.run, u.text AS url, datetime(v.at / 1000, 'unixepoch') AS at, o.name AS outcome, v.status, v.failure,
       v.total_ms, v.carried, v.last
FROM visit v JOIN url u ON u.id = v.url JOIN outcome_name o ON o.code = v.outcome
WHERE v.purpose = 0;
CREATE VIEW v_broken AS
SELECT p.url, p.status, p.outcome, p.failure, l.source, l.anchor
FROM v_pages p LEFT JOIN v_links l ON l.target = p.url
WHERE p.outcome IN ('no-answer', 'broken') OR p.status >= 400;
CREATE VIEW v_excluded AS
SELECT d.run, u.text AS url, r.name AS reason, r.meaning, e.text AS evidence
FROM verdict d
JOIN url u ON u.id = d.url
JOIN reason_name r ON r.code = d.reason
LEFT JOIN url e ON e.id = d.evidence
WHERE d.run = (SELECT run FROM v_last_run);
CREATE VIEW v_findings AS
SELECT a.run, f.code, coalesce(u.text, f.subject) AS subject, f.since, f.before > 0 AND f.since = a.run AS regressed
FROM audit a JOIN finding f ON f.last = a.run LEFT JOIN url u ON u.id = f.url
WHERE a.run = (SELECT max(run) FROM audit);
CREATE VIEW v_kept AS
SELECT d.run, u.text AS url, d.kept, v.status, v.failure
FROM verdict d JOIN url u ON u.id = d.url
LEFT JOIN visit v ON v.run = d.run AND v.url = d.url AND v.last = 1 AND v.purpose = 0
WHERE d.kept > 0 AND d.run = (SELECT run FROM v_last_run);
CREATE VIEW v_last_run AS SELECT max(id) AS run FROM run;
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
CREATE VIEW v_listed AS
SELECT d.run, u.text AS url, d.lastmod, d.lastmod_from, d.depth, d.inlinks
FROM verdict d
JOIN url u ON u.id = d.url
WHERE d.reason IS NULL AND d.run = (SELECT run FROM v_last_run);
CREATE VIEW v_pages AS
SELECT v.run, u.text AS url, v.status, o.name AS outcome, v.failure, v.media, v.body_bytes, v.first_byte_ms, v.total_ms,
       t.text AS redirect, c.text AS canonical, v.noindex, v.nofollow, d.depth, d.inlinks,
       x.title, x.description, d.lastmod, d.lastmod_from, d.reason IS NULL AS listed, r.name AS reason, v.carried, d.kept,
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
CREATE VIEW v_parts AS
SELECT name, urls, bytes, first, last, lastmod FROM part WHERE live = 1 ORDER BY series, bound;
CREATE VIEW v_runs AS
SELECT id AS run, datetime(started / 1000, 'unixepoch') AS started, datetime(ended / 1000, 'unixepoch') AS ended,
       state, starts, settings, summary
FROM run;
