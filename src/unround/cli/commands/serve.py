"""unround serve: start the console for chairs and area chairs."""

from __future__ import annotations

import errno
import re
import signal
import socket
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from unround.cli.options import check_public_url, choice_option, data_options
from unround.cli.screen import err, out
from unround.errors import UsageError

if TYPE_CHECKING:
    from unround.console.context import Console
    from unround.console.settings import ConsoleSettings

PORT = 8351


@click.command(
    "serve",
    short_help="Start the console, a web server.",
    epilog="Example: unround serve --demo --open",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@data_options
@click.option("--demo", is_flag=True, help="Start with a sample conference, deleted at the end.")
@click.option("--open", "open_page", is_flag=True, help="Open the console in the browser.")
@click.option("--public-url", metavar="URL", help="Address of the console behind a TLS proxy.")
@click.option(
    "--system-host",
    "system_hosts",
    metavar="HOST[:PORT]",
    multiple=True,
    envvar="UNROUND_SYSTEM_HOSTS",
    show_envvar=True,
    help="Host of a HotCRP or pretalx that chairs may fetch from and send to; repeatable.",
)
@click.option(
    "--max-upload-mb",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Largest upload, all files together.",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT",
    help="Serve Prometheus metrics here, such as 127.0.0.1:9351.",
)
@choice_option(
    "--log",
    "log_format",
    choices=("plain", "json"),
    default="plain",
    meaning="json: a line per request and error on standard error, without personal data.",
)
def command(
    host: str,
    port: int,
    settings: ConsoleSettings,
    demo: bool,
    open_page: bool,
    public_url: str | None,
    system_hosts: Sequence[str],
    max_upload_mb: int,
    metrics: str | None,
    log_format: str,
) -> None:
    """Start the console, in which chairs import, check and run conferences, and area chairs see their papers.

    Prints a link for the owner, who has access to every conference. The link of an earlier start no
    longer works.
    """
    check_public_url(public_url)
    metrics_at = _host_and_port(metrics)
    data = TemporaryDirectory(prefix="unround-demo-") if demo else nullcontext(settings.data)
    with _listening(host, port) as listener, data as folder:
        from unround.console.server import open_console
        from unround.console.settings import MEGABYTE

        settings = replace(
            settings,
            data=Path(folder),
            host=host,
            port=listener.getsockname()[1],
            public_url=public_url,
            system_hosts=frozenset(map(_system_host, system_hosts)),
            most_upload=max_upload_mb * MEGABYTE,
        )
        with open_console(settings) as console, ExitStack() as stack:
            _monitor(console, metrics_at, stack, as_json=log_format == "json")
            _serve(console, listener, demo=demo, open_page=open_page)


def _host_and_port(address: str | None) -> tuple[str, int] | None:
    if address is None:
        return None
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"--metrics must be an address such as 127.0.0.1:9351, not {address}")
    return host.strip("[]"), int(port)


def _monitor(
    console: Console, metrics_at: tuple[str, int] | None, stack: ExitStack, *, as_json: bool
) -> None:
    """Log as JSON lines and serve metrics, if requested."""
    from unround.console.api.monitoring import serve_metrics
    from unround.console.telemetry import count_errors, log_json_lines

    count_errors(console.metrics)
    if as_json:
        log_json_lines()
    if metrics_at is not None:
        try:
            port = stack.enter_context(serve_metrics(console, *metrics_at))
        except OSError as error:
            raise UsageError(f"--metrics cannot be served: {error.strerror}") from None
        out().print(f"Metrics are at http://{metrics_at[0]}:{port}/metrics.")


def _system_host(host: str) -> str:
    if not re.fullmatch(r"(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?", host, re.ASCII):
        raise UsageError(
            f"--system-host must be a host such as conf.example.org or 127.0.0.1:8080, not {host}"
        )
    return host.casefold()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a bound socket, or refuse before anything is printed or written."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets whose protocol is named.
    with socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            hint = "; choose another --port" if taken else ""
            raise UsageError(f"{host}:{port} cannot be used: {error.strerror}{hint}") from None
        yield listener


def _serve(console: Console, listener: socket.socket, *, demo: bool, open_page: bool) -> None:
    from unround.console.server import make_server, start_link

    if demo:
        from unround.console.demo import add_sample

        with err().status("Making a sample conference") as status:
            add_sample(console, status.update)
    link, owner = start_link(console), console.database.owner
    listener.listen()  # so that a link opened at once waits instead of failing
    # Uvicorn stops in order on both signals, and then raises them again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # the usual way to stop it
        _greet(console.settings, link)
        if open_page:
            webbrowser.open(link)
        make_server(console).run([listener])
    if owner is not None and owner.lost:
        raise UsageError(
            "another `unround serve` took over the database while this one could not reach it; this server "
            "has stopped"
        )
    out().print("Stopped.")


def _greet(settings: ConsoleSettings, link: str) -> None:
    out().print(f"The console is at {settings.url}. The owner's link:")
    out().print(f"\n    {link}\n", soft_wrap=True)
    if not settings.listens_here and not settings.is_secure:
        err().print(
            "Warning: traffic is not encrypted. Put a reverse proxy with TLS in front of the console, keep "
            "it on 127.0.0.1, and give the proxy's address as --public-url.",
        )
    out().print("Press Ctrl+C to stop.")
