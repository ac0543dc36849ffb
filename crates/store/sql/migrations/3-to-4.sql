-- From format 3 to format 4: what audits need.

-- Pages that were read before have no sketch until they are read again.
ALTER TABLE version ADD COLUMN sketch BLOB;
CREATE TABLE fault (
    run INTEGER NOT NULL,
    file INTEGER NOT NULL,
    rule TEXT NOT NULL,
    line INTEGER NOT NULL,
    what TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, file, rule)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
    run INTEGER PRIMARY KEY,
    whole INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    warnings INTEGER NOT NULL,
    notices INTEGER NOT NULL
) STRICT;
CREATE TABLE finding (
    key INTEGER PRIMARY KEY,
    code TEXT NOT NULL,
    url INTEGER,
    subject TEXT,
    since INTEGER NOT NULL,
    last INTEGER NOT NULL,
    before INTEGER NOT NULL DEFAULT 0
) STRICT;
