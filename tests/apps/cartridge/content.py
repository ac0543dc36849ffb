"""Writes to the shop by Cartridge's own models: content.py < a list of actions, as JSON. Runs in the project's folder."""
import datetime
import json
import os
import sys

import django

sys.path.insert(0, os.getcwd())
django.setup()

from cartridge.shop.models import Category, Product, ProductVariation  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.sites.models import Site  # noqa: E402
from mezzanine.blog.models import BlogCategory, BlogPost  # noqa: E402
from mezzanine.pages.models import RichTextPage  # noqa: E402


def html(text):
    return "".join(f"<p>{part}</p>" for part in text.split("\n\n"))


def product(action, when):
    made = Product.objects.create(title=action["title"], content=html(action["text"]), available=True, publish_date=when,
                                  unit_price=action["price"], sku=str(action["number"]))
    made.categories.add(Category.objects.get(title=action["category"]))
    made.variations.manage_empty()
    ProductVariation.objects.filter(product=made).update(unit_price=action["price"], num_in_stock=9)
    made.copy_default_variation()


def post(action, when):
    user = get_user_model().objects.get(username="ada")
    made = BlogPost.objects.create(title=action["title"], content=html(action["text"]), user=user, publish_date=when)
    made.categories.add(BlogCategory.objects.get_or_create(title=action["category"])[0])


def main():
    for action in json.load(sys.stdin):
        kind, when = action["kind"], datetime.datetime.fromisoformat(action["when"])
        if kind == "site":
            Site.objects.update(domain=action["domain"], name="Village shop")
            get_user_model().objects.create(username="ada", email="ada@example.com")
        elif kind == "category":
            Category.objects.create(title=action["title"], content=html(action["text"]), publish_date=when)
        elif kind == "page":
            RichTextPage.objects.create(title=action["title"], content=html(action["text"]), publish_date=when)
        elif kind == "product":
            product(action, when)
        elif kind == "post":
            post(action, when)
        elif kind == "edit":
            model = {"product": Product, "post": BlogPost}[action["of"]]
            edited = model.objects.get(slug=action["slug"])
            edited.content += html(action["text"])
            edited.save()
        elif kind == "delete":
            Product.objects.get(slug=action["slug"]).delete()
        else:
            raise ValueError(f"no such action: {kind}")


main()
