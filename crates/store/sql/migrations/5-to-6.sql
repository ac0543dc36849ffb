-- From format 5 to format 6: the alternates that the site's own sitemaps name.

ALTER TABLE entry ADD COLUMN alternates TEXT;
