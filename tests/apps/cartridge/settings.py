"""What is the shop's own among the settings that Mezzanine makes, which read this file."""
DEBUG = False
SECRET_KEY = NEVERCACHE_KEY = "of no use outside these tests"
ALLOWED_HOSTS = ["127.0.0.1"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(BASE_DIR, "shop.db")}}  # noqa: F821
SHOP_CURRENCY_LOCALE = "en_US.UTF-8"
SHOP_PER_PAGE_CATEGORY = 6
BLOG_POST_PER_PAGE = 5
