"""unround serve: the console, for chairs and their area chairs."""

from __future__ import annotations

import errno
import ipaddress
import socket
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from unround.cli.options import check_installed, data_options
from unround.cli.screen import err, out
from unround.errors import UsageError

if TYPE_CHECKING:
    from unround.console.context import Console
    from unround.console.settings import ConsoleSettings, Network

PORT = 8351


@click.command(
    "serve",
    short_help="Open the console in a browser.",
    epilog="Example: unround serve --demo --open",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="0: any free one.",
)
@data_options
@click.option("--demo", is_flag=True, help="A sample conference, gone when the console stops.")
@click.option("--open", "open_page", is_flag=True, help="Open the browser as well.")
@click.option("--public-url", metavar="URL", help="How others reach it, behind a proxy with TLS.")
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="The proxy's address or network: its X-Forwarded-For is believed. Repeatable.",
)
@click.option(
    "--max-upload-mb",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Largest upload, all its files together.",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT",
    help="Serve /metrics for Prometheus at this address, e.g. 127.0.0.1:9351.",
)
@click.option(
    "--log",
    "log_format",
    type=click.Choice(("plain", "json")),
    default="plain",
    show_default=True,
    help="json: one line per request and error on standard error, without personal data.",
)
def command(
    host: str,
    port: int,
    data: Path,
    database: str | None,
    demo: bool,
    open_page: bool,
    public_url: str | None,
    proxies: Sequence[str],
    max_upload_mb: int,
    metrics: str | None,
    log_format: str,
) -> None:
    """Serve the console: import, check, run, sort, and give every area chair their papers.

    Prints a link for the server's owner, who opens every conference; the link of the start before
    ends.
    """
    check_installed()
    _check_public_url(public_url)
    metrics_at = _host_and_port(metrics)
    with _listening(host, port) as listener, _data_folder(data, demo=demo) as folder:
        from unround.console.server import open_console
        from unround.console.settings import MEGABYTE, ConsoleSettings

        settings = ConsoleSettings(
            data=folder,
            database=database,
            host=host,
            port=listener.getsockname()[1],
            public_url=public_url,
            proxies=tuple(map(_network, proxies)),
            most_upload=max_upload_mb * MEGABYTE,
        )
        with open_console(settings) as console, ExitStack() as watching:
            _watch(console, metrics_at, watching, as_json=log_format == "json")
            _serve(console, listener, demo=demo, open_page=open_page)


def _check_public_url(url: str | None) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
        raise UsageError("--public-url takes an address such as https://unround.example.org")


def _host_and_port(address: str | None) -> tuple[str, int] | None:
    if address is None:
        return None
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"--metrics takes an address such as 127.0.0.1:9351, not {address}")
    return host.strip("[]"), int(port)


def _watch(
    console: Console, metrics_at: tuple[str, int] | None, watching: ExitStack, *, as_json: bool
) -> None:
    """Log as JSON lines and serve metrics, where these are asked for."""
    from unround.console.api.monitoring import serve_metrics
    from unround.console.telemetry import count_errors, log_json_lines

    count_errors(console.metrics)
    if as_json:
        log_json_lines()
    if metrics_at is not None:
        try:
            port = watching.enter_context(serve_metrics(console, *metrics_at))
        except OSError as error:
            raise UsageError(f"--metrics cannot be served: {error.strerror}") from None
        out().print(f"Metrics are at http://{metrics_at[0]}:{port}/metrics.")


def _network(address: str) -> Network:
    try:
        return ipaddress.ip_network(address, strict=False)
    except ValueError:
        raise UsageError(
            f"--proxy takes an address or a network such as 127.0.0.1 or 10.0.0.0/8, not {address}"
        ) from None


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a bound socket, before anything is printed or written."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends at once only on sockets that say they are TCP.
    with socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            hint = "; name another --port" if taken else ""
            raise UsageError(f"{host}:{port} cannot be used: {error.strerror}{hint}") from None
        yield listener


@contextmanager
def _data_folder(data: Path, *, demo: bool) -> Iterator[Path]:
    if not demo:
        yield data
        return
    with TemporaryDirectory(prefix="unround-demo-") as folder:
        yield Path(folder)


def _serve(console: Console, listener: socket.socket, *, demo: bool, open_page: bool) -> None:
    from unround.console.server import make_server, start_link

    if demo:
        from unround.console.demo import add_sample

        with err().status("Making a sample conference (the first time takes longest)"):
            add_sample(console)
    link = start_link(console)
    listener.listen()  # whoever opens the link at once waits a moment, and is not turned away
    _greet(console.settings, link)
    if open_page:
        webbrowser.open(link)
    server, owner = make_server(console), console.database.owner
    with suppress(KeyboardInterrupt):  # the usual way to stop it
        server.run([listener])
    if owner is not None and owner.lost.is_set():
        raise UsageError(
            "another `unround serve` has taken over the database while it could not be reached from "
            "here; this server has stopped"
        )
    out().print("Stopped.")


def _greet(settings: ConsoleSettings, link: str) -> None:
    out().print(f"The console is at {settings.url}. Its owner opens it by this link:")
    out().print(f"\n    {link}\n", soft_wrap=True)
    if not settings.listens_here and not settings.is_secure:
        err().print(
            "Others can read what goes over the network: put a reverse proxy with TLS before the "
            "console, let it listen at 127.0.0.1 and tell it its --public-url.",
        )
    out().print("Ctrl+C stops it.")
