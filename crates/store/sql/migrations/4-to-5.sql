-- From format 4 to format 5: parts that left the set stay for a time.

-- When those that wait to be removed left it is not known: their time begins with the next publication.
ALTER TABLE part ADD COLUMN dropped INTEGER;
