"""The spider that scrapy runs in the benchmark: follows every link of the sites it starts at, and keeps nothing."""

from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor


class Site(scrapy.Spider):
    name = "site"
    custom_settings = {
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        "ROBOTSTXT_OBEY": True,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }

    def __init__(self, starts, **kwargs):
        super().__init__(**kwargs)
        with open(starts, encoding="utf-8") as lines:
            self.start_urls = lines.read().split()
        self.allowed_domains = sorted({urlsplit(url).hostname for url in self.start_urls})
        self.links = LinkExtractor()

    def parse(self, response):
        if isinstance(response, HtmlResponse):
            for link in self.links.extract_links(response):
                yield response.follow(link, callback=self.parse)
