-- From format 6 to format 7: what tells lists and forms from text, and the roles of URL parameters.

ALTER TABLE version ADD COLUMN prose_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE version ADD COLUMN fields INTEGER NOT NULL DEFAULT 0;

CREATE TABLE parameter (
    pattern TEXT NOT NULL,
    parameter TEXT NOT NULL,
    role TEXT,
    equal INTEGER NOT NULL,
    sorted INTEGER NOT NULL,
    subset INTEGER NOT NULL,
    differs INTEGER NOT NULL,
    urls INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (pattern, parameter)
) STRICT, WITHOUT ROWID;
