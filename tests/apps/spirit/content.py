"""Writes to the forum by Spirit's own models: content.py < a list of actions, as JSON. To be run in the project's folder."""
import datetime
import json
import os
import sys

import django

sys.path.insert(0, os.getcwd())
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from spirit.category.models import Category  # noqa: E402
from spirit.comment.models import Comment  # noqa: E402
from spirit.topic.models import Topic  # noqa: E402

User = get_user_model()


def moment(action):
    return datetime.datetime.fromisoformat(action["when"])


def post(topic, user, text, when):
    """Writes a post, and what the topic says of it."""
    html = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    Comment.objects.create(user=user, topic=topic, comment=text, comment_html=html, date=when)
    count = Comment.objects.filter(topic=topic).count()
    Topic.objects.filter(pk=topic.pk).update(comment_count=count, last_active=when)


def main():
    for action in json.load(sys.stdin):
        kind = action["kind"]
        if kind == "user":
            User.objects.create(username=action["name"], email=f"{action['name']}@example.com")
            User.objects.filter(username=action["name"]).update(date_joined=moment(action))
        elif kind == "category":
            Category.objects.create(title=action["name"], description=action["text"])
        elif kind == "topic":
            user = User.objects.get(username=action["by"])
            category = Category.objects.get(title=action["category"])
            topic = Topic.objects.create(user=user, category=category, title=action["title"], date=moment(action))
            post(topic, user, action["text"], moment(action))
        elif kind == "reply":
            topic = Topic.objects.get(pk=action["topic"])
            post(topic, User.objects.get(username=action["by"]), action["text"], moment(action))
        elif kind == "edit":
            first = Comment.objects.filter(topic=action["topic"]).order_by("pk")[0]
            first.comment_html += f"<p>{action['text']}</p>"
            first.save()
        elif kind == "remove":
            Topic.objects.filter(pk=action["topic"]).update(is_removed=True)
        else:
            raise ValueError(f"no such action: {kind}")


main()
