"""The console behind a real nginx that speaks TLS, with the configuration of the docs."""

from __future__ import annotations

import re
import shlex
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx2
import pytest

from tests.console.hosting import free_port, served, waited_for
from unround.console.server import open_console, start_link
from unround.console.settings import ConsoleSettings

pytestmark = pytest.mark.slow
OPERATING = Path(__file__).parents[3] / "examples" / "operating"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
WHOLE = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {sites}
}}
"""


@dataclass
class Behind:
    """A console behind nginx."""

    url: str
    plain: str  # the address without TLS
    context: ssl.SSLContext
    link: str

    def client(self, address: str = "127.0.0.1") -> httpx2.Client:
        """Somebody at another address of this machine."""
        transport = httpx2.HTTPTransport(verify=self.context, local_address=address)
        return httpx2.Client(
            base_url=self.url, headers={"X-Unround": "1"}, transport=transport, timeout=60
        )


def _certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run(["openssl", "req", *kind, *files, *names], check=True, capture_output=True)
    return certificate, key


def _configured(folder: Path, console_port: int, tls_port: int, plain_port: int) -> str:
    """The configuration of the docs, at other ports and with another certificate."""
    certificate, key = _certificate(folder)
    changes = {
        r"listen 443 ssl;": f"listen 127.0.0.1:{tls_port} ssl;",
        r"listen \[::\]:443 ssl;": f"listen [::1]:{tls_port} ssl;",
        r"listen 80;": f"listen 127.0.0.1:{plain_port};",
        r"listen \[::\]:80;": f"listen [::1]:{plain_port};",
        r"unround\.example\.org;": "localhost;",
        r"ssl_certificate /\S+;": f"ssl_certificate {certificate};",
        r"ssl_certificate_key /\S+;": f"ssl_certificate_key {key};",
        r"127\.0\.0\.1:8351": f"127.0.0.1:{console_port}",
    }
    sites = (OPERATING / "nginx.conf").read_text("utf-8")
    for pattern, new in changes.items():
        sites, count = re.subn(pattern, new, sites)
        assert count, f"the configuration of the docs has no {pattern}"
    return WHOLE.format(folder=folder, sites=sites)


@pytest.fixture(scope="module")
def behind(tmp_path_factory, front_end) -> Iterator[Behind]:
    assert NGINX, "nginx is not installed; `make test` needs it (package nginx)"
    folder = tmp_path_factory.mktemp("nginx")
    tls_port, plain_port = free_port(), free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        url = f"https://localhost:{tls_port}"
        settings = ConsoleSettings(
            data=tmp_path_factory.mktemp("data"),
            front_end=front_end,
            port=port,
            public_url=url,
        )
        (folder / "nginx.conf").write_text(_configured(folder, port, tls_port, plain_port))
        context = ssl.create_default_context(cafile=folder / "certificate.pem")
        with open_console(settings) as console, served(console, listener), _nginx(folder):
            plain = f"http://127.0.0.1:{plain_port}"
            yield Behind(url, plain, context, start_link(console))


@contextmanager
def _nginx(folder: Path) -> Iterator[None]:
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        waited_for(lambda: (folder / "pid").exists() or process.poll() is not None)
        assert process.poll() is None, (folder / "error.log").read_text()
        try:
            yield
        finally:
            process.terminate()


def test_a_chair_enters_uploads_and_changes_over_tls_alone(behind: Behind):
    assert behind.link.startswith(f"{behind.url}/enter#")
    with behind.client() as chair:
        entered = chair.post("/api/enter", json={"secret": behind.link.split("#")[1]})
        assert entered.status_code == 204
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith("__Host-unround=")
        for word in ("Secure", "HttpOnly", "SameSite=strict", "Path=/"):
            assert word.lower() in cookie.lower()
        assert chair.get("/api/me").json()["role"] == "chair"
        assert chair.get("/").headers.get_list("strict-transport-security") == ["max-age=31536000"]
        origin = {"Origin": behind.url, "Sec-Fetch-Site": "same-origin"}
        made = chair.post("/api/conferences", json={"name": "x"}, headers=origin)
        assert made.status_code == 201
        content = b"x" * 3_000_000
        path = f"/api/conferences/{made.json()['id']}/files"
        uploaded = chair.post(path, params={"name": "a.csv"}, content=content)
        assert (uploaded.status_code, uploaded.json()["size"]) == (201, len(content))
        evil = {"Origin": "https://evil"}
        foreign = chair.post("/api/conferences", json={"name": "y"}, headers=evil)
        assert foreign.status_code == 403


def test_without_tls_one_is_sent_to_tls(behind: Behind):
    answer = httpx2.get(f"{behind.plain}/runs/1", headers={"Host": "localhost"})
    assert answer.status_code == 301
    assert answer.headers["location"] == "https://localhost/runs/1"


def test_monitors_of_this_machine_alone_see_health(behind: Behind):
    with behind.client() as here, behind.client("127.0.0.2") as elsewhere:
        assert here.get("/readyz").json()["ready"] is True
        assert here.get("/healthz").status_code == 200
        assert here.get(f"{behind.url}//healthz").json() == {"alive": True}
        assert [
            elsewhere.get(path).status_code for path in ("/readyz", f"{behind.url}//healthz")
        ] == [403, 403]
        assert [who.get("/metrics").status_code for who in (here, elsewhere)] == [404, 404]


def test_it_listens_to_both_families_of_addresses(behind: Behind):
    port = int(behind.url.rsplit(":", 1)[1])
    with (
        socket.create_connection(("::1", port), timeout=60) as connection,
        behind.context.wrap_socket(connection, server_hostname="localhost") as tls,
    ):
        tls.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert tls.recv(20).split()[1] == b"404"


def test_systemd_understands_the_units(tmp_path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    for name in ("unround.service", "unround-backup.service", "unround-backup.timer"):
        unit = (
            (OPERATING / name).read_text("utf-8").replace("/opt/unround/bin/unround", "/bin/true")
        )
        (tmp_path / name).write_text(unit)
    units = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run([analyze, "verify", *units], capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if "unround" in line]
    assert (done.returncode, told) == (0, [])
    words = [analyze, "security", "--offline=yes", "--threshold=25"]  # of 100: 65 without a sandbox
    for unit in ("unround.service", "unround-backup.service"):
        done = subprocess.run(
            [*words, str(tmp_path / unit)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def test_the_unit_of_backups_keeps_the_newest_thirty(tmp_path):
    unround, kept = tmp_path / "unround", tmp_path / "backups"
    kept.mkdir()
    unround.write_text('#!/bin/sh\nfor last; do :; done\ntouch "$last"\n')
    unround.chmod(0o700)
    others = {"by-hand.backup", "console-before.backup"}
    for name in (*others, *(f"console-2025-01-{day:02}.backup" for day in range(1, 32))):
        (kept / name).touch()
    unit = (OPERATING / "unround-backup.service").read_text("utf-8").replace("\\\n", " ")
    for word, new in (("/opt/unround/bin/unround", unround), ("/var/backups/unround", kept)):
        unit = unit.replace(word, str(new))
    lines = re.findall(r"^ExecStart(?:Post)?=(.*)", unit, re.MULTILINE)
    for line in lines:  # systemd's own signs
        command = shlex.split(line.replace("%%", "%").replace("$$", "$"))
        subprocess.run(command, check=True)
    left = {path.name for path in kept.iterdir()}
    new = f"console-{datetime.now().astimezone():%Y-%m-%d}.backup"
    assert left == others | {new} | {f"console-2025-01-{day:02}.backup" for day in range(3, 32)}
