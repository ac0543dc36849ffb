"""Checks what YAML files of the packaging say, one line for each fault: packaging.py kubernetes|compose|stopping.

The verdict of a cluster or of Docker needs one; this holds the files to the fields that their kinds require and to the
security settings that we promise (for pods the Pod Security Standard "restricted").
"""

import http.server
import re
import subprocess
import sys
import threading

import yaml

FAULTS = []

VERSIONS = {
    "ConfigMap": "v1",
    "PersistentVolumeClaim": "v1",
    "Service": "v1",
    "Deployment": "apps/v1",
    "CronJob": "batch/v1",
    "Ingress": "networking.k8s.io/v1",
}


def expect(holds, text):
    if not holds:
        FAULTS.append(text)


def at(node, path):
    """What stands at a path such as `spec.template`, or None."""
    for key in path.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    return node


def expect_value(where, node, path, wanted):
    found = at(node, path)
    expect(found == wanted, f"{where}: {path} is {found!r}, not {wanted!r}")


class OnceLoader(yaml.SafeLoader):
    """As the safe loader, but a key that stands twice is a fault: the parser of a cluster refuses it."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in {key for key in keys if keys.count(key) > 1}:
            FAULTS.append(f"{node.start_mark}: the key {key} stands twice")
        return super().construct_mapping(node, deep)


def documents(path):
    with open(path, encoding="utf-8") as file:
        return list(yaml.load_all(file, OnceLoader))


# Kubernetes


def check_pod(where, pod):
    for path, wanted in {
        "automountServiceAccountToken": False,
        "securityContext.runAsNonRoot": True,
        "securityContext.seccompProfile.type": "RuntimeDefault",
    }.items():
        expect_value(where, pod, path, wanted)
    expect((at(pod, "securityContext.runAsUser") or 0) > 0, f"{where}: runs as root")
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        expect(key not in pod, f"{where}: {key} is set")
    volumes = {volume["name"] for volume in pod["volumes"]}
    expect(not any("hostPath" in volume for volume in pod["volumes"]), f"{where}: mounts a path of the node")
    expect(len(pod["containers"]) == 1, f"{where}: more than one container")
    check_container(where, pod["containers"][0], volumes)


def check_container(where, container, volumes):
    for path, wanted in {
        "securityContext.allowPrivilegeEscalation": False,
        "securityContext.readOnlyRootFilesystem": True,
        "securityContext.capabilities.drop": ["ALL"],
    }.items():
        expect_value(where, container, path, wanted)
    for path in ("name", "image", "args", "resources.requests.memory", "resources.limits.memory"):
        expect(at(container, path), f"{where}: no {path}")
    # Whoever applies it puts in the digest of the image that they built: there is none that could stand here.
    by_digest = r"[a-z0-9./-]+:(?!latest@)[\w.-]+@sha256:(DIGEST|[0-9a-f]{64})"
    expect(re.fullmatch(by_digest, container["image"]), f"{where}: the image is not named by version and digest")
    mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
    expect(set(mounts) == volumes, f"{where}: mounts {sorted(mounts)} of the volumes {sorted(volumes)}")
    expect(at(mounts, "config.readOnly") is True, f"{where}: the configuration can be written")
    expect({"state", "published"} <= set(mounts), f"{where}: no volume for state and published files")
    state_root = [entry.get("value") for entry in container["env"] if entry["name"] == "MAPWRIGHT_STATE_ROOT"]
    expect(state_root == [at(mounts, "state.mountPath")], f"{where}: the state is kept in {state_root}, not in its volume")
    secrets = [entry for entry in container["env"] if entry["name"] == "MAPWRIGHT_AUTH"]
    expect(secrets and at(secrets[0], "valueFrom.secretKeyRef.name"), f"{where}: no secret is taken from a Secret")


def check_deployment(where, document):
    spec = document["spec"]
    expect_value(where, spec, "replicas", 1)
    expect_value(where, spec, "strategy", {"type": "Recreate"})
    labels = at(spec, "template.metadata.labels")
    wanted = at(spec, "selector.matchLabels")
    expect(wanted and wanted.items() <= labels.items(), f"{where}: the selector does not select its own pods")
    pod = at(spec, "template.spec")
    check_pod(where, pod)
    container = pod["containers"][0]
    expect(container["args"][0] == "serve", f"{where}: does not run the service")
    expect_value(where, container, "livenessProbe.httpGet.path", "/healthz")
    expect_value(where, container, "readinessProbe.httpGet.path", "/readyz")
    ports = {port["name"] for port in container["ports"]}
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        expect(at(container, f"{probe}.httpGet.port") in ports, f"{where}: {probe} uses a port that has no name")


def check_cronjob(where, document):
    spec = document["spec"]
    expect(len(str(spec.get("schedule")).split()) == 5, f"{where}: the schedule has not five fields")
    expect_value(where, spec, "concurrencyPolicy", "Forbid")
    expect_value(where, spec, "jobTemplate.spec.backoffLimit", 0)
    pod = at(spec, "jobTemplate.spec.template.spec")
    expect_value(where, pod, "restartPolicy", "Never")
    check_pod(where, pod)
    expect(pod["containers"][0]["args"][0] == "run", f"{where}: does not run a job")


def check_service(where, document, deployment):
    labels = at(deployment, "spec.template.metadata.labels")
    selector = at(document, "spec.selector")
    expect(selector and selector.items() <= labels.items(), f"{where}: selects no pod of the deployment")
    expect_value(where, document, "spec.type", "ClusterIP")


def check_ingress(where, document, service):
    spec = document["spec"]
    hosts = [host for entry in spec["tls"] for host in entry["hosts"]]
    expect(hosts == [rule["host"] for rule in spec["rules"]], f"{where}: has TLS for {hosts} alone")
    for rule in spec["rules"]:
        for path in at(rule, "http.paths"):
            expect_value(where, path, "backend.service.name", at(service, "metadata.name"))
            ports = [port["name"] for port in at(service, "spec.ports")]
            expect(at(path, "backend.service.port.name") in ports, f"{where}: names a port that the service has not")


def kubernetes():
    service = documents("packaging/kubernetes/deployment.yaml")
    single = documents("packaging/kubernetes/cronjob.yaml")
    kinds = {}
    for document in service + single:
        kind = document.get("kind")
        name = at(document, "metadata.name")
        expect(kind in VERSIONS, f"unknown kind {kind}")
        expect_value(f"{kind} {name}", document, "apiVersion", VERSIONS.get(kind))
        expect(name, f"{kind}: no name")
        kinds.setdefault(kind, []).append(document)
    singles = {kind: 1 for kind in VERSIONS}
    for kind, count in (singles | {"PersistentVolumeClaim": 2}).items():
        expect(len(kinds.get(kind, [])) == count, f"{len(kinds.get(kind, []))} of {kind}, not {count}")
    if FAULTS:
        return
    deployment, cronjob = kinds["Deployment"][0], kinds["CronJob"][0]
    check_deployment("Deployment", deployment)
    check_cronjob("CronJob", cronjob)
    check_service("Service", kinds["Service"][0], deployment)
    check_ingress("Ingress", kinds["Ingress"][0], kinds["Service"][0])
    for claim in kinds["PersistentVolumeClaim"]:
        expect_value("claim", claim, "spec.accessModes", ["ReadWriteOnce"])
        expect(at(claim, "spec.resources.requests.storage"), "a claim requests no storage")
    check_references(kinds, [at(deployment, "spec.template.spec"), at(cronjob, "spec.jobTemplate.spec.template.spec")])


def check_references(kinds, pods):
    claims = {at(claim, "metadata.name") for claim in kinds["PersistentVolumeClaim"]}
    maps = {at(document, "metadata.name") for document in kinds["ConfigMap"]}
    for pod in pods:
        for volume in pod["volumes"]:
            claim = at(volume, "persistentVolumeClaim.claimName")
            expect(claim is None or claim in claims, f"there is no claim {claim}")
            config = at(volume, "configMap.name")
            expect(config is None or config in maps, f"there is no ConfigMap {config}")


# Compose


def compose():
    (document,) = documents("docker/compose.yaml")
    for name, service in document["services"].items():
        expect(service.get("read_only") is True, f"{name}: the root file system can be written")
        expect(service.get("cap_drop") == ["ALL"], f"{name}: keeps capabilities")
        expect("no-new-privileges:true" in service.get("security_opt", []), f"{name}: may gain privileges")
        expect("privileged" not in service, f"{name}: is privileged")
        for port in service.get("ports", []):
            inside = port.startswith(("127.0.0.1:", "${MAPWRIGHT_BIND:-127.0.0.1}:"))
            expect(inside, f"{name}: {port} can be reached from elsewhere")
    expect("ports" not in document["services"]["mapwright"], "the dashboard can be reached past the proxy")
    check_images(document["services"])
    check_health(document["services"]["mapwright"]["healthcheck"]["test"])


def check_images(services):
    """Each image that is built from or run can be named by digest, and is named by version where it is not."""
    with open("docker/Dockerfile", encoding="utf-8") as file:
        dockerfile = file.read()
    defaults = dict(re.findall(r"^ARG (\w+_IMAGE)=(.*)$", dockerfile, re.MULTILINE))
    bases = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    expect(bases == [f"${{{name}}}" for name in defaults], f"docker/Dockerfile: is built from {bases}")
    args = at(services, "mapwright.build.args")
    wanted = {name: f"${{{name}:-{image}}}" for name, image in defaults.items()}
    expect(args == wanted, f"docker/compose.yaml: the images of the build are {args}, not {wanted}")
    proxy = re.fullmatch(r"\$\{CADDY_IMAGE:-(.*)\}", services["proxy"]["image"])
    expect(proxy, "docker/compose.yaml: the image of the proxy cannot be named by digest")
    for image in [*defaults.values(), *(proxy.groups() if proxy else [])]:
        expect(re.fullmatch(r"[a-z/]+:(?!latest)[\w.-]+", image), f"docker: {image} is not named by version")


def check_health(test):
    """Runs the health check against a server that is well, one that is not, and none."""
    expect(test[0] == "CMD", "the health check goes through a shell")
    status = 200

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [word.replace("$$", "$").replace("8470", str(server.server_port)) for word in test[1:]]

        def healthy():
            return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=20, check=False).returncode == 0

        expect(healthy(), "the health check calls a service unhealthy that is well")
        status = 503
        expect(not healthy(), "the health check calls a service healthy that is not")
        server.shutdown()
    expect(not healthy(), "the health check calls a service healthy that is not there")


# Ending


def stopping():
    """Whoever ends the service waits for longer than --drain lets it take, and all of them for as long."""
    with open("packaging/systemd/mapwright.service", encoding="utf-8") as file:
        unit = file.read()
    (deployment,) = [document for document in documents("packaging/kubernetes/deployment.yaml") if document["kind"] == "Deployment"]
    pod = at(deployment, "spec.template.spec")
    (cronjob,) = documents("packaging/kubernetes/cronjob.yaml")
    (compose_file,) = documents("docker/compose.yaml")
    service = compose_file["services"]["mapwright"]
    drains = {
        "mapwright.service": drain(one(r"^ExecStart=(.*)$", unit).split()),
        "Deployment": drain(pod["containers"][0]["args"]),
        "docker/compose.yaml": drain(service["command"]),
    }
    with open("packaging/systemd/mapwright@.service", encoding="utf-8") as file:
        job = file.read()
    waits = {
        "mapwright.service": seconds(one(r"^TimeoutStopSec=(.*)$", unit)),
        "mapwright@.service": seconds(one(r"^TimeoutStopSec=(.*)$", job)),
        "Deployment": pod["terminationGracePeriodSeconds"],
        "CronJob": at(cronjob, "spec.jobTemplate.spec.template.spec.terminationGracePeriodSeconds"),
        "docker/compose.yaml": seconds(service["stop_grace_period"]),
    }
    expect(len(set(drains.values())) == 1, f"--drain differs: {drains}")
    expect(len(set(waits.values())) == 1, f"the time to end differs: {waits}")
    for where, wait in waits.items():
        expect(wait >= max(drains.values()) + 10, f"{where}: waits for {wait} s, with a --drain of {max(drains.values())} s")
    with open("docs/deployment.md", encoding="utf-8") as file:
        text = file.read()
    wanted = f"`--drain` ({max(drains.values())} seconds)"
    expect(wanted in text, f"docs/deployment.md does not say {wanted}")
    wanted = f"wait for {max(waits.values())} seconds"
    expect(wanted in text, f"docs/deployment.md does not say that units and manifests {wanted}")


def one(pattern, text):
    (found,) = re.findall(pattern, text, re.MULTILINE)
    return found


def drain(words):
    """What --drain says, in one word or two."""
    return seconds(one(r"--drain[ =](\S+)", " ".join(words)))


def seconds(text):
    return int(one(r"^(\d+)s$", text))


{"kubernetes": kubernetes, "compose": compose, "stopping": stopping}[sys.argv[1]]()
print("\n".join(FAULTS), end="\n" if FAULTS else "")
sys.exit(1 if FAULTS else 0)
