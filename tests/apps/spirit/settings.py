"""The settings of the forum, over those that Spirit makes."""
from forum.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "of no use outside these tests"
ST_SITE_URL = os.environ["ST_SITE_URL"]  # noqa: F405
ALLOWED_HOSTS = ["127.0.0.1"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(BASE_DIR, "forum.db")}}  # noqa: F405
CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name} for name in CACHES}  # noqa: F405
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
LOGGING = {"version": 1, "disable_existing_loggers": False}
