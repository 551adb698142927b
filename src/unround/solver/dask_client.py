"""Connect to a Dask cluster, check it, and report its failures in plain words."""

from __future__ import annotations

import asyncio
import logging
from asyncio import CancelledError as TaskCancelled
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from dask import config
from distributed import Client, Future, Security, default_client, wait
from distributed.comm.core import CommClosedError, connect
from distributed.scheduler import KilledWorker

from unround import __version__
from unround.errors import ClusterLost, UsageError

# Seconds to wait for a scheduler or a worker that does not answer.
PATIENCE_SECONDS = 10.0
# Seconds between two checks whether the scheduler is still there.
LOOK_SECONDS = 2.0
UNTOUCHED = "nothing was written"
# What Dask raises when a worker or the scheduler goes away.
GONE = (KilledWorker, CancelledError, TaskCancelled, CommClosedError, TimeoutError, OSError)

Output = TypeVar("Output")


@contextmanager
def client_of(scheduler: object) -> Iterator[Client]:
    """Yield a client whose cluster is ready to work; it is closed in the end unless it was the caller's."""
    if scheduler is None:
        scheduler = _default_scheduler()
    if isinstance(scheduler, Client):
        _check_ready(scheduler)
        yield scheduler
        return
    if not isinstance(scheduler, str):
        raise UsageError(f"scheduler must be an address or a distributed.Client, not {scheduler!r}")
    with _quiet_logs():
        client = _connect(scheduler)
        try:
            _check_ready(client)
            yield client
        finally:
            with suppress(TimeoutError):
                client.close(timeout=LOOK_SECONDS)


def _default_scheduler() -> Client | str:
    """Return Dask's current client, or the scheduler in its configuration."""
    with suppress(ValueError):
        current: Client = default_client()
        return current
    address = config.get("scheduler-address", None)
    if address is None:
        raise UsageError(
            "the engine 'dask' needs a scheduler: start one with `dask scheduler` and give the address "
            "that it prints, as in --scheduler tcp://host:8786 on the command line, or "
            "engine=unround.Dask('tcp://host:8786') in Python"
        )
    return str(address)


def _connect(address: str) -> Client:
    try:
        # Closing a client that never connected takes long, so try a connection first.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _try_connection(address)).result()
        return Client(address, timeout=PATIENCE_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # unreachable, or no address at all
        raise UsageError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler` and give the "
            "address that it prints, such as tcp://host:8786"
        ) from error


async def _try_connection(address: str) -> None:
    there = await connect(
        address, timeout=PATIENCE_SECONDS, **Security().get_connection_args("client")
    )
    await there.close()


def _check_ready(client: Client) -> None:
    """Refuse a cluster without workers, or whose workers have another unround or none."""
    if client.asynchronous:
        raise UsageError("scheduler must be a distributed.Client that is not asynchronous")
    if not is_there(client):
        raise UsageError("scheduler is a distributed.Client that has been closed")
    try:
        client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        found = client.run(_version_of_worker(), on_error="return").values()
    except TimeoutError as error:
        raise UsageError(
            f"the Dask scheduler at {address_of(client)} has no workers: start some with "
            f"`dask worker {address_of(client)}`"
        ) from error
    except OSError as error:
        raise lost_scheduler(client) from error
    # A worker that died a moment ago leaves an error in place of its answer.
    versions = {version for version in found if isinstance(version, str)}
    if versions - {f"unround {__version__}"}:
        raise UsageError(
            f"the cluster's workers have {' and '.join(sorted(versions))}, but here it is "
            f"{__version__}: install the same everywhere, with: pip install "
            f"'unround[cluster]=={__version__}'"
        )


def _version_of_worker() -> Callable[[], str]:
    """Return a function for workers to run. It is sent by value: they need no unround to run it."""

    def version() -> str:
        try:
            import unround.solver.dask_cluster
        except ImportError:
            return "no unround"
        return f"unround {unround.__version__}"

    return version


def is_there(client: Client) -> bool:
    """Whether the scheduler still answers."""
    return bool(client.status == "running")


def lost_scheduler(client: Client, left: str = UNTOUCHED) -> ClusterLost:
    """Return the error for a scheduler that is gone; `left` says what is left of the work."""
    return ClusterLost(f"the Dask scheduler at {address_of(client)} is gone; {left}")


def address_of(client: Client) -> str:
    """Return the address of the client's scheduler."""
    return str(client.scheduler.address) if client.scheduler is not None else "its address"


def gathered(client: Client, futures: Sequence[Future[Output]]) -> list[Output]:
    """Return the results of the futures, checking now and then whether the scheduler is still there."""
    while True:
        try:
            with client.as_current():
                wait(futures, timeout=LOOK_SECONDS)
            break
        except TimeoutError:
            if not is_there(client):
                raise lost_scheduler(client) from None
    found: list[Output] = client.gather(list(futures))
    return found


@contextmanager
def plain_losses(client: Client, left: str = UNTOUCHED) -> Iterator[None]:
    """Turn what Dask raises when machines go away into ClusterLost."""
    try:
        yield
    except GONE as error:
        if not is_there(client):
            raise lost_scheduler(client, left) from error
        raise ClusterLost(f"the cluster's workers could not finish ({error}); {left}") from error


@contextmanager
def _quiet_logs() -> Iterator[None]:
    """Silence Dask's logs: lost connections appear there with tracebacks, and are errors of ours."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    logs = [logging.getLogger(name) for name in names]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)
