"""Holds the documentation of the package to the command, one line for each fault: documented.py DIRECTORY COMMAND.

DIRECTORY is where the package has put its documentation. Whoever installed it has no source to look into.
"""

import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

DOCUMENTS, COMMAND = pathlib.Path(sys.argv[1]), sys.argv[2]
# The documents for people who run mapwright on schedule.
GUIDES = ["deployment.md", "nightly.md", "schedule.md", "hooks.md", "examples/kubernetes/README.md"]
FAULTS = []


def expect(holds, text):
    if not holds:
        FAULTS.append(text)


def text_of(name):
    path = DOCUMENTS / name
    expect(path.exists(), f"{name} is not in the package")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def blocks(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(name), re.MULTILINE | re.DOTALL)


def references():
    """What a page shows or leads to, beside it, is there; and no guide sends its reader into the source."""
    # The README is the source's, and leads to what lies there.
    for page in sorted(set(DOCUMENTS.glob("*.md")) - {DOCUMENTS / "README.md"}):
        for name, anchor in re.findall(r"\]\(([\w.-]+\.\w+)(?:#([\w-]+))?\)", page.read_text(encoding="utf-8")):
            expect((DOCUMENTS / name).exists(), f"{page.name}: {name} is not in the package")
            if anchor:
                heads = re.findall(r"^#+ (.*)$", text_of(name), re.MULTILINE)
                slugs = [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads]
                expect(anchor in slugs, f"{page.name}: {name} has no section {anchor}")
    for guide in GUIDES:
        for source in re.findall(r"\bcrates/[\w./…-]*", text_of(guide)):
            FAULTS.append(f"{guide} names {source}, which is not in the package")


def run(words, directory, **more):
    variables = {"PATH": os.environ["PATH"], "HOME": str(directory)}
    return subprocess.run(words, cwd=directory, env=variables, capture_output=True, text=True, timeout=120, check=False, **more)


def settings(directory):
    """The command accepts the settings that docs/nightly.md shows."""
    shown = "".join(block for block in blocks("nightly.md", "toml"))
    expect("heartbeat = " in shown, "nightly.md shows no heartbeat")
    (directory / "password").write_text("secret", encoding="utf-8")
    shown = re.sub(r'(password-file = )"[^"]*"', rf'\1"{directory}/password"', shown)
    (directory / "shown.toml").write_text(shown, encoding="utf-8")
    done = run([COMMAND, "config", "check", "--config", "shown.toml"], directory)
    expect(done.returncode == 0, f"nightly.md: the settings are refused: {done.stderr.strip()}")


class Site(http.server.BaseHTTPRequestHandler):
    """A page, and nothing else."""

    def do_GET(self):
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>A page</title><p>Words.")

    def log_message(self, *_):
        pass


def hook(directory):
    """A command gets the input that docs/hooks.md describes, and a shell can run the examples there."""
    kept = directory / "kept"
    command = directory / "upload"
    command.write_text(f"#!/bin/sh\nexec cat >{kept}\n", encoding="utf-8")
    command.chmod(0o755)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (directory / "mapwright.toml").write_text(
            f'[job.shop]\nurl = ["http://127.0.0.1:{server.server_port}/"]\ncron = "0 2 * * *"\n'
            f'[job.shop.output]\nout = "{directory}/out"\n[job.shop.publish]\nmirror = ["command:{command}"]\n',
            encoding="utf-8",
        )
        done = run([COMMAND, "run", "--state-root", "state", "shop"], directory)
        server.shutdown()
    if not kept.exists():
        FAULTS.append(f"the job passed nothing to its command: {done.stderr.strip()}")
        return
    given = json.loads(kept.read_text(encoding="utf-8"))
    (shown,) = [json.loads(block) for block in blocks("hooks.md", "json")] or [{}]
    expect(list(given) == list(shown), f"hooks.md shows the fields {list(shown)}, and a command gets {list(given)}")
    file = list(given["entry_point"])
    expect(file == list(shown.get("entry_point", {})), f"hooks.md does not show the fields of a file, {file}")
    scripts(directory, kept)


def scripts(directory, kept):
    """The examples of docs/hooks.md do their work; what would send the files keeps its own words instead."""
    stub = '#!/bin/sh\nprintf "%s\\n" "${0##*/} $*" >>"$SENT"\n[ "${0##*/}" = rsync ] || cat >>"$SENT"\n'
    for name in ("sftp", "rsync"):
        (directory / name).write_text(stub, encoding="utf-8")
        (directory / name).chmod(0o755)
    sent = {}
    for block in blocks("hooks.md", "sh"):
        log = directory / "sent"
        log.unlink(missing_ok=True)
        variables = {"PATH": f"{directory}:{os.environ['PATH']}", "SENT": str(log)}
        with open(kept, encoding="utf-8") as given:
            done = subprocess.run(["sh", "-c", block], stdin=given, env=variables, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"hooks.md: a script ends with {done.returncode}: {done.stderr.strip()}")
        words = log.read_text(encoding="utf-8") if log.exists() else ""
        sent[words.partition(" ")[0]] = words
    expect(set(sent) == {"sftp", "rsync"}, f"hooks.md has scripts for {sorted(sent)}")
    put = "put sitemap.xml sitemap.xml.new\nrename sitemap.xml.new sitemap.xml\n"
    expect(put in sent.get("sftp", ""), f"hooks.md: sftp gets {sent.get('sftp')}")


for name in GUIDES:
    text_of(name)
references()
for check in (settings, hook):
    with tempfile.TemporaryDirectory() as scratch:
        check(pathlib.Path(scratch))
print("\n".join(FAULTS), end="\n" if FAULTS else "")
sys.exit(1 if FAULTS else 0)
