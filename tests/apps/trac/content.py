"""Writes to a Trac environment by Trac's own means: content.py ENVIRONMENT < a list of actions, as JSON."""
import datetime
import json
import sys

from trac.core import TracError
from trac.env import open_environment
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.wiki.model import WikiPage


def moment(action):
    return datetime.datetime.fromisoformat(action["when"])


def main():
    env = open_environment(sys.argv[1])
    for action in json.load(sys.stdin):
        kind = action["kind"]
        if kind == "clean":
            for model in (Component, Milestone, Version):
                for each in list(model.select(env)):
                    each.delete()
        elif kind == "milestone":
            milestone = Milestone(env)
            milestone.name, milestone.description = action["name"], action["text"]
            milestone.insert()
        elif kind == "component":
            component = Component(env)
            component.name = action["name"]
            component.insert()
        elif kind == "page":
            page = WikiPage(env, action["name"])
            page.text = action["text"]
            page.save("ada", "", t=moment(action))
        elif kind == "ticket":
            ticket = Ticket(env)
            ticket.populate(action["fields"])
            ticket.insert(when=moment(action))
        elif kind == "comment":
            Ticket(env, action["id"]).save_changes("grace", action["text"], when=moment(action))
        elif kind == "delete-page":
            WikiPage(env, action["name"]).delete()
        else:
            raise TracError(f"no such action: {kind}")


main()
