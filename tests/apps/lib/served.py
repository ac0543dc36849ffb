"""An application that runs: its processes, and an nginx in front that logs the requests."""
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

START_SECONDS = 60
STOP_SECONDS = 15

NGINX = """
daemon off;
worker_processes 1;
pid {run}/nginx.pid;
error_log {run}/nginx-error.log;
{user}
events {{ worker_connections 256; }}
http {{
    include /etc/nginx/mime.types;
    log_format requests '$status $request_uri';
    access_log {run}/asked.log requests;
    client_body_temp_path {run}/body;
    proxy_temp_path {run}/proxy;
    fastcgi_temp_path {run}/fastcgi;
    uwsgi_temp_path {run}/uwsgi;
    scgi_temp_path {run}/scgi;
    server {{
        listen 127.0.0.1:{port};
        {locations}
    }}
}}
"""


def proxy_to(path):
    """The nginx configuration for an application server that listens on a socket in the file system."""
    return f"location / {{ proxy_pass http://unix:{path}; proxy_set_header Host $http_host; proxy_read_timeout 60s; }}"


def fastcgi_to(path, script, name="$fastcgi_script_name"):
    """The parameters for a script behind FastCGI. (Debian's own file of them leaves the port out of HTTP_HOST.)"""
    parameters = {
        "SCRIPT_FILENAME": script, "SCRIPT_NAME": name, "PATH_INFO": "$uri" if name == '""' else '""',
        "HTTP_HOST": "$http_host", "REQUEST_METHOD": "$request_method", "REQUEST_URI": "$request_uri",
        "QUERY_STRING": "$query_string", "CONTENT_TYPE": "$content_type", "CONTENT_LENGTH": "$content_length",
        "DOCUMENT_URI": "$document_uri", "DOCUMENT_ROOT": "$document_root", "SERVER_PROTOCOL": "$server_protocol",
        "REMOTE_ADDR": "$remote_addr", "SERVER_ADDR": "$server_addr", "SERVER_PORT": "$server_port",
        "SERVER_NAME": "127.0.0.1", "GATEWAY_INTERFACE": "CGI/1.1", "REDIRECT_STATUS": "200",
    }
    lines = "".join(f"fastcgi_param {key} {value};" for key, value in parameters.items())
    return f"{lines} fastcgi_pass unix:{path}; fastcgi_read_timeout 60s;"


class Place:
    """Where an application lives: what is installed, its content, and what belongs to one run."""

    def __init__(self, cache, results, work):
        self.cache, self.results = pathlib.Path(cache), pathlib.Path(results)
        self.data, self.run = pathlib.Path(work, "data"), pathlib.Path(work, "run")
        for folder in (self.results, self.data, self.run):
            folder.mkdir(parents=True)
        self.base = f"http://127.0.0.1:{free_port()}"

    def python(self, *words, **options):
        """Runs Python with the application's own packages."""
        return run([self.cache / "venv/bin/python", *words], **options)


def run(words, **options):
    """Runs a command to its end, which must be a good one."""
    options.setdefault("text", True)
    done = subprocess.run([str(word) for word in words], capture_output=True, timeout=300, **options)
    if done.returncode:
        errors = done.stderr if options["text"] else done.stderr.decode("utf-8", "replace")
        raise RuntimeError(f"{' '.join(map(str, words[:3]))}: exit {done.returncode}: {errors[-1500:]}")
    return done.stdout


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Site:
    """The processes of an application; ended by the ids of the groups that they lead."""

    def __init__(self, app, place):
        self.app, self.place, self.processes = app, place, []
        self.start_url = place.base + "/"

    def __enter__(self):
        try:
            commands, locations = self.app.serve(self.place)
            for words, environment in commands:
                self.spawn(words, environment)
            run_folder = self.place.run
            configuration = run_folder / "nginx.conf"
            port = self.place.base.rpartition(":")[2]
            user = "user root;" if pathlib.Path.home() == pathlib.Path("/root") else ""
            configuration.write_text(NGINX.format(run=run_folder, port=port, locations=locations, user=user))
            self.spawn(["/usr/sbin/nginx", "-e", run_folder / "nginx-error.log", "-c", configuration], None)
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            end_group(process, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                end_group(process, signal.SIGKILL)
                process.wait()

    def spawn(self, words, environment):
        log = open(self.place.run / "processes.log", "ab")
        words = [str(word) for word in words]
        process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
        self.processes.append(process)

    def wait(self):
        """Waits until the start page answers well."""
        deadline = time.monotonic() + START_SECONDS
        while (status := answer(self.start_url)) != 200:
            dead = [p for p in self.processes if p.poll() is not None]
            if dead or time.monotonic() > deadline:
                log = (self.place.run / "processes.log").read_text(errors="replace")
                raise RuntimeError(f"{self.start_url} answers {status}, {len(dead)} processes have ended: {log[-1500:]}")
            time.sleep(0.1)

    def requests(self):
        """Returns "STATUS PATH" of each request so far."""
        return (self.place.run / "asked.log").read_text(errors="replace").splitlines()


def end_group(process, number):
    """Sends a signal to a process and to those that it started."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def status_of(process, seconds):
    """Returns the exit status of a process, or None where it was killed after this time."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()


def answer(url):
    """Returns the status that a URL answers with, or 0."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            response.read()
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0
