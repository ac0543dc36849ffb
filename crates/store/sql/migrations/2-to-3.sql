-- From format 2 to format 3: links and facts in less space.

-- Nothing is known of usual texts: each link keeps its own.
CREATE TABLE anchor (url INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE link_set (id INTEGER PRIMARY KEY, region INTEGER NOT NULL, links TEXT NOT NULL) STRICT;
INSERT INTO link_set (id, region, links)
SELECT "set", min(region), json_group_array(json_array(target, kind, rel, coalesce(anchor, ''), fragment))
FROM (SELECT * FROM link ORDER BY "set", pos) GROUP BY "set";

DROP INDEX version_by_url;
ALTER TABLE version RENAME TO version_before;
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
) STRICT;
INSERT INTO version (id, url, hash, facts_hash, title, description, dates, directives, robots, scripts, text_bytes, facts,
    blocks, sets)
SELECT id, url, hash, facts_hash, json_extract(facts, '$.title'), json_extract(facts, '$.description'),
    json_extract(facts, '$.dates'), json_extract(facts, '$.directives'), json_extract(facts, '$.robots'),
    coalesce(json_extract(facts, '$.scripts'), 0), coalesce(json_extract(facts, '$.text_bytes'), 0),
    CASE WHEN json_extract(facts, '$.robots') IS NULL THEN facts END, blocks,
    (SELECT json_group_array("set") FROM (SELECT "set" FROM version_set WHERE version = version_before.id ORDER BY "set"))
FROM version_before;
DROP TABLE version_before;
DROP TABLE version_set;
DROP TABLE link;
