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

-- Reasons have their places in the precedence: those that came after the new ones have other numbers.
UPDATE verdict SET reason = CASE
    WHEN reason BETWEEN 11 AND 19 THEN reason + 1
    WHEN reason = 20 THEN 22
    WHEN reason BETWEEN 21 AND 23 THEN reason + 5
    ELSE reason END
WHERE reason >= 11;
