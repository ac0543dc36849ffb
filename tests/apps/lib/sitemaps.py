"""Reads what a crawl has published."""
import datetime
import gzip
import pathlib
import urllib.parse
import xml.etree.ElementTree as ET


def files(folder):
    """Returns {name: bytes} of the published sitemaps."""
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).glob("sitemap*"))}


def listed(folder, name="sitemap.xml"):
    """Returns {URL: date or None}, read through an index where there is one."""
    path = pathlib.Path(folder, name)
    if not path.exists():
        return {}
    data = path.read_bytes()
    root = ET.fromstring(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    result = {}
    for entry in root:
        fields = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in entry}
        if root.tag.endswith("}sitemapindex"):
            result.update(listed(folder, fields["loc"].rpartition("/")[2]))
        else:
            result[spelling(fields["loc"])] = fields.get("lastmod")
    return result


def spelling(url):
    """One spelling of the URLs that differ in what is escaped alone."""
    parts = urllib.parse.urlsplit(url)
    path = urllib.parse.quote(urllib.parse.unquote(parts.path), safe="/:@!$&'()*+,;=~-._")
    query = urllib.parse.quote(urllib.parse.unquote(parts.query), safe="/:@!$&'()*+,;=~-._?")
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def span(date):
    """Returns the first and the last second that a date may mean."""
    if len(date) == len("2026-01-31"):
        first = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.timezone.utc).timestamp()
        return first, first + 86399
    first = datetime.datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp()
    return first, first + 1
