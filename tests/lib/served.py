"""Runs the command as what it is delivered with runs it, and visits its dashboard as browsers, probes and programs do,
one line for each fault: served.py compose|kubernetes|nginx|caddy COMMAND.

`compose` and `kubernetes` take arguments, variables, configuration and secrets from the manifests; `nginx` and `caddy`
the snippets of docs/deployment.md and the arguments of the unit. Everything listens on 127.0.0.1: --listen and the
ports of the proxies are replaced, and `config check` judges the --listen that stands there.
"""

import contextlib
import http.client
import os
import pathlib
import re
import shlex
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import yaml

COMMAND = sys.argv[2]
TOKEN = "0123456789abcdef0123456789abcdef"
# How long anything may take before it has failed.
PATIENCE = 30
FAULTS = []


def expect(holds, text):
    if not holds:
        FAULTS.append(text)
    return holds


def text_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


# Containers, as far as their files go


class Container:
    """The mounts of a container, each with what lies there: a path of this machine."""

    def __init__(self, name, mounts):
        self.name = name
        self.mounts = mounts

    def here(self, path):
        """Where a path of the container lies on this machine."""
        for mount in sorted(self.mounts, key=len, reverse=True):
            if path == mount or path.startswith(mount + "/"):
                return str(self.mounts[mount]) + path[len(mount) :]
        FAULTS.append(f"{self.name}: {path} lies in no volume")
        return path

    def arguments(self, words):
        return [re.sub(r"^(--[a-z-]+=)?(/.*)$", lambda found: (found[1] or "") + self.here(found[2]), word) for word in words]

    def bring_home(self, config):
        """Writes the paths of a configuration as they are on this machine, and says where it is then."""
        text = re.sub(r'"(/[^"]*)"', lambda found: f'"{self.here(found[1])}"', text_of(self.here(config)))
        home = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH)) / "mapwright.toml"
        home.write_text(text, encoding="utf-8")
        self.mounts[config] = home


def scratch_file(name, text):
    path = SCRATCH / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def directory(name):
    path = SCRATCH / "volumes" / name
    path.mkdir(parents=True, exist_ok=True)
    return path


# The command


def environment(variables):
    return {"PATH": os.environ["PATH"], "HOME": str(SCRATCH), "LC_ALL": "C.UTF-8"} | variables


def runs(where, words, variables):
    """Runs the command to its end, which must be 0."""
    done = subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment(variables), check=False
    )
    expect(done.returncode == 0, f"{where}: {' '.join(words)} ends with {done.returncode}: {done.stderr.strip()}")


@contextlib.contextmanager
def served(where, words, variables):
    """Serves with these arguments, but on a free port of 127.0.0.1, which it gives; nothing where it does not serve."""
    runs(where, ["config", "check", *words[1:]], variables)
    port = free_port()
    words = [*words, f"--listen=127.0.0.1:{port}"]
    process = subprocess.Popen([COMMAND, *words], stderr=subprocess.PIPE, text=True, env=environment(variables))
    late = threading.Timer(PATIENCE, process.kill)
    late.start()
    said = []
    serves = any(said.append(line) or "; the dashboard is at " in line for line in process.stderr)
    late.cancel()
    try:
        expect(serves, f"{where}: serve did not begin: {''.join(said).strip()}")
        yield port if serves else None
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
        expect(not serves or process.returncode == 0, f"{where}: ends with {process.returncode} at SIGTERM")


# Visitors


class Visitor:
    """Somebody who comes to the dashboard's public origin, by a port of this machine."""

    def __init__(self, where, origin, port, trust=None, address="127.0.0.1"):
        self.where = where
        self.origin = origin
        self.name = urllib.parse.urlsplit(origin).hostname
        self.port = port
        self.trust = trust
        self.address = address
        self.fields = {}

    def request(self, path, form=None, headers=None):
        """Sends a request as a browser does: from a page of the dashboard, if there is a form, or for a URL that was typed."""
        peer = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (self.address, 0))
        if self.trust:
            peer = self.trust.wrap_socket(peer, server_hostname=self.name)
        connection = http.client.HTTPConnection(self.name, timeout=PATIENCE)
        connection.sock = peer
        fields = {"Host": self.name} | self.fields | (headers or {})
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            fields |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin, "Sec-Fetch-Site": "same-origin"}
        with contextlib.closing(connection):
            connection.request("GET" if form is None else "POST", path, body, fields)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def expects(self, what, path, wanted, **options):
        status, headers, text = self.request(path, **options)
        expect(status == wanted, f"{self.where}: {what} answers {status}, not {wanted}: {text.strip()[:300]}")
        return headers, text


def visit(visitor, login):
    """Logs in, presses a button, and requests the metrics as a program does."""
    headers, _ = visitor.expects("the first page, to somebody unknown,", "/", 303)
    expect(str(headers["Location"]).startswith("/login"), f"{visitor.where}: no login is required")
    visitor.expects("/metrics, without a token,", "/metrics", 401)
    visitor.expects("/metrics, with the token,", "/metrics", 200, headers={"Authorization": f"Bearer {TOKEN}"})
    headers, _ = visitor.expects("the login", "/login", 303, form=login)
    visitor.fields["Cookie"] = str(headers["Set-Cookie"]).partition(";")[0]
    _, page = visitor.expects("the page of the job", "/jobs/shop", 200)
    csrf = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
    if expect(csrf, f"{visitor.where}: the page of the job has no buttons"):
        visitor.expects("the button", "/jobs/shop/pause", 303, form={"csrf": csrf[1]})


def guess(visitor, login):
    """Somebody guesses the token from one address, under ever new names: they are held up, others are not."""
    guesser = Visitor(visitor.where, visitor.origin, visitor.port, visitor.trust, address="127.0.0.2")
    statuses = [
        guesser.request("/login", {"token": f"wrong-{n}"}, {"X-Forwarded-For": f"203.0.113.{n}"})[0] for n in range(11)
    ]
    expect(statuses == [401] * 10 + [429], f"{visitor.where}: guesses are answered {statuses}")
    visitor.fields = {}
    visitor.expects("the login, while somebody else guesses,", "/login", 303, form=login)


# Proxies


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def proxy(where, words, name, port, authority, variables):
    """Runs a proxy, and gives its port and whom to trust; nothing where it does not speak TLS for that name."""
    log = SCRATCH / "proxy.log"
    with open(log, "w", encoding="utf-8") as said:
        process = subprocess.Popen(words, stdout=said, stderr=said, env=environment(variables))
        try:
            trust = greeted(process, name, port, authority)
            expect(trust, f"{where}: {words[0]} does not answer: {text_of(log)}")
            yield (port, trust) if trust else (None, None)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def greeted(process, name, port, authority):
    """Whom to trust, as soon as the proxy shows a certificate of that authority: Caddy makes both after it listens."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            trust = ssl.create_default_context(cafile=authority)
            trust.wrap_socket(socket.create_connection(("127.0.0.1", port), PATIENCE), server_hostname=name).close()
            return trust
        except OSError:
            time.sleep(0.05)
    return None


@contextlib.contextmanager
def caddy(where, caddyfile, name, variables=None):
    """Runs Caddy with this file, as its own authority: it contacts no other."""
    port = free_port()
    own = f"admin off\n\tlocal_certs\n\tdefault_bind 127.0.0.1\n\tauto_https disable_redirects\n\thttps_port {port}\n"
    opening = re.search(r"^\{\n", caddyfile, re.MULTILINE)
    caddyfile = caddyfile.replace("{\n", "{\n\t" + own, 1) if opening else f"{{\n\t{own}\tskip_install_trust\n}}\n{caddyfile}"
    words = ["caddy", "run", "--adapter", "caddyfile", "--config", str(scratch_file("Caddyfile", caddyfile))]
    home = tempfile.mkdtemp(dir=SCRATCH)
    authority = f"{home}/caddy/pki/authorities/local/root.crt"
    variables = {"XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home} | (variables or {})
    with proxy(where, words, name, port, authority, variables) as front:
        yield front


@contextlib.contextmanager
def nginx(where, server, name):
    """Runs nginx with this server, which shows a certificate made here."""
    port = free_port()
    certificate, key = SCRATCH / "tls.pem", SCRATCH / "tls.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
        + ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-out", certificate, "-keyout", key],
        check=True,
        capture_output=True,
    )
    for pattern, put in {
        r"listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        r"(ssl_certificate +)[^;]+": rf"\g<1>{certificate}",
        r"(ssl_certificate_key +)[^;]+": rf"\g<1>{key}",
    }.items():
        server, count = re.subn(pattern, put, server)
        expect(count == 1, f"{where}: {pattern} stands there {count} times")
    kept = "".join(f"{what}_temp_path {SCRATCH}/{what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = f"daemon off;\npid {SCRATCH}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{server}}}\n"
    words = ["/usr/sbin/nginx", "-e", "stderr", "-c", str(scratch_file("nginx.conf", config))]
    with proxy(where, words, name, port, certificate, {}) as front:
        yield front


# Compose


def compose():
    for host in (None, "crawl.localhost"):
        compose_at(host)


def compose_at(host):
    where = f"docker/compose.yaml (MAPWRIGHT_HOST={host or ''})"
    token = scratch_file("token", TOKEN + "\n")
    given = {"PATH": os.environ["PATH"], "MAPWRIGHT_TOKEN": str(token)} | ({"MAPWRIGHT_HOST": host} if host else {})
    read = subprocess.run(
        ["docker-compose", "--file", "docker/compose.yaml", "config"], capture_output=True, text=True, env=given, check=True
    )
    document = yaml.safe_load(read.stdout)
    services = {name: compose_container(name, service, document) for name, service in document["services"].items()}
    service = document["services"]["mapwright"]
    container = services["mapwright"]
    container.bring_home("/etc/mapwright/mapwright.toml")
    variables = {name: value for name, value in service["environment"].items() if value is not None}
    variables["MAPWRIGHT_STATE_ROOT"] = container.here(variables["MAPWRIGHT_STATE_ROOT"])
    with served(where, container.arguments(service["command"]), variables) as port:
        if port:
            compose_visit(where, document, services, port)


def compose_container(name, service, document):
    mounts = {}
    for volume in service.get("volumes", []):
        if isinstance(volume, str):
            source, target, *_ = volume.split(":")
        else:
            source, target = volume["source"], volume["target"]
        mounts[target] = source if source.startswith("/") else directory(source)
    for secret in service.get("secrets", []):
        source = secret["source"] if isinstance(secret, dict) else secret
        mounts[f"/run/secrets/{source}"] = document["secrets"][source]["file"]
    return Container(name, mounts)


def compose_visit(where, document, services, port):
    """Comes by the proxy that the file names, at the origin and the ports that it publishes."""
    front = document["services"].get("proxy")
    if not expect(front, f"{where}: there is no proxy"):
        return
    container = services["proxy"]
    caddyfile = text_of(container.here("/etc/caddy/Caddyfile"))
    (listen,) = [word for word in document["services"]["mapwright"]["command"] if word.startswith("--listen=")]
    upstream = f"mapwright:{listen.rpartition(':')[2]}"
    expect(upstream in caddyfile, f"{where}: the proxy does not pass on to {upstream}")
    plain = re.findall(r"^:(\d+) \{$", caddyfile, re.MULTILINE)
    targets = {re.sub(r"/tcp$", "", published).rpartition(":")[2] for published in front["ports"]}
    expect(targets == {"443", *plain}, f"{where}: publishes the ports {targets} of the proxy, which listens at 443 and {plain}")
    files = free_port()
    caddyfile = caddyfile.replace(upstream, f"127.0.0.1:{port}").replace(f":{plain[0]} {{", f":{files} {{")
    caddyfile = re.sub(r"(root \* )(\S+)", lambda found: found[1] + container.here(found[2]), caddyfile)
    published = pathlib.Path(services["mapwright"].here("/out/shop"))
    published.mkdir(exist_ok=True)
    (published / "sitemap.xml").write_text("<urlset/>", encoding="utf-8")
    (published / ".hidden").write_text("", encoding="utf-8")
    host = front["environment"]["MAPWRIGHT_HOST"]
    with caddy(where, caddyfile, host, {"MAPWRIGHT_HOST": host}) as (front_port, trust):
        if front_port:
            visitor = Visitor(where, f"https://{host}", front_port, trust)
            visit(visitor, {"token": TOKEN})
            guess(visitor, {"token": TOKEN})
            reader = Visitor(where, "http://127.0.0.1", files)
            reader.expects("a published file", "/shop/sitemap.xml", 200)
            reader.expects("what is no published file", "/shop/.hidden", 404)


# Kubernetes


def documents(name):
    return list(yaml.safe_load_all(text_of(f"packaging/kubernetes/{name}")))


def kubernetes():
    service = {document["kind"]: document for document in documents("deployment.yaml")}
    pod = service["Deployment"]["spec"]["template"]["spec"]
    container, variables = kubernetes_container("Deployment", pod, service["ConfigMap"])
    words = container.arguments(pod["containers"][0]["args"])
    with served("Deployment", words, variables) as port:
        if port:
            kubernetes_visit(service["Ingress"]["spec"], port)
    (cron_job,) = documents("cronjob.yaml")
    pod = cron_job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    container, variables = kubernetes_container("CronJob", pod, service["ConfigMap"])
    runs("CronJob", [*container.arguments(pod["containers"][0]["args"]), "--dry-run"], variables)


def kubernetes_container(where, pod, config_map):
    volumes = {}
    for volume in pod["volumes"]:
        volumes[volume["name"]] = directory(f"{where}/{volume['name']}")
        if "configMap" in volume:
            for name, text in config_map["data"].items():
                scratch_file(f"volumes/{where}/{volume['name']}/{name}", text)
        for item in volume.get("secret", {}).get("items", []):
            scratch_file(f"volumes/{where}/{volume['name']}/{item['path']}", TOKEN)
    template = pod["containers"][0]
    container = Container(where, {mount["mountPath"]: volumes[mount["name"]] for mount in template["volumeMounts"]})
    container.bring_home("/etc/mapwright/mapwright.toml")
    variables = {entry["name"]: entry["value"] for entry in template["env"] if "value" in entry}
    variables["MAPWRIGHT_STATE_ROOT"] = container.here(variables["MAPWRIGHT_STATE_ROOT"])
    return container, variables


def kubernetes_visit(ingress, port):
    """Comes as an Ingress passes requests on, and as the kubelet sends its own: to the pod's address."""
    (rule,) = ingress["rules"]
    visitor = Visitor("Ingress", f"https://{rule['host']}", port)
    visitor.fields["X-Forwarded-For"] = "192.0.2.7"
    visit(visitor, {"token": TOKEN})
    kubelet = Visitor("Deployment", "http://10.0.0.7", port)
    kubelet.expects("the probe /healthz", "/healthz", 200)
    kubelet.expects("the probe /readyz", "/readyz", 200)


# docs/deployment.md


def snippet(language, holding):
    """The block of that language that holds these words."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text_of("docs/deployment.md"), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if holding in block]
    expect(len(found) == 1, f"docs/deployment.md has {len(found)} blocks of {language} with {holding}")
    return found[0] if found else ""


@contextlib.contextmanager
def documented(where):
    """Serves as the unit does, with the settings that docs/deployment.md shows; gives the port and the public origin."""
    settings = snippet("toml", "behind-proxy")
    origin = re.search(r'behind-proxy = "([^"]*)"', settings)
    job = '\n[job.shop]\nurl = ["https://www.example.com/"]\ncron = "30 2 * * *"\n'
    hashed = subprocess.run([COMMAND, "jobs", "hash-password"], input="secret", capture_output=True, text=True, check=True)
    etc = scratch_file("etc/mapwright.toml", settings + job).parent
    scratch_file("etc/users", f"anna:operator:{hashed.stdout}")
    scratch_file("etc/token", TOKEN)
    container = Container(where, {"/etc/mapwright": etc})
    container.bring_home("/etc/mapwright/mapwright.toml")
    unit = text_of("packaging/systemd/mapwright.service")
    (line,) = re.findall(r"^ExecStart=/usr/bin/mapwright (.*)$", unit, re.MULTILINE)
    variables = {"STATE_DIRECTORY": str(directory("state"))}
    with served(where, container.arguments(shlex.split(line)), variables) as port:
        yield port, origin and origin[1]


def through(where, server, open_proxy):
    """Visits the documented service by a proxy with this snippet."""
    with documented(where) as (port, origin):
        if not port or not expect(origin, f"{where}: the settings name no --behind-proxy"):
            return
        expect("127.0.0.1:8470" in server, f"{where}: does not pass on to 127.0.0.1:8470")
        name = urllib.parse.urlsplit(origin).hostname
        expect(name in server, f"{where}: the proxy is not at {origin}")
        with open_proxy(where, server.replace("127.0.0.1:8470", f"127.0.0.1:{port}"), name) as (front_port, trust):
            if front_port:
                login = {"name": "anna", "password": "secret"}
                visitor = Visitor(where, origin, front_port, trust)
                visit(visitor, login)
                guess(visitor, login)


def by_nginx():
    through("docs/deployment.md, nginx", snippet("nginx", "proxy_pass"), nginx)


def by_caddy():
    through("docs/deployment.md, Caddy", snippet("caddyfile", "reverse_proxy"), caddy)


with tempfile.TemporaryDirectory() as scratch:
    SCRATCH = pathlib.Path(scratch)
    {"compose": compose, "kubernetes": kubernetes, "nginx": by_nginx, "caddy": by_caddy}[sys.argv[1]]()
print("\n".join(FAULTS), end="\n" if FAULTS else "")
sys.exit(1 if FAULTS else 0)
