"""Settings of a console, chosen by its operator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from unround.errors import UsageError

FRONT_END = Path(__file__).parents[1] / "static"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MEGABYTE = 1_000_000
BUSY_SECONDS = 5.0
ONLY_HERE = (
    "These links work on this computer only. To send them to others, restart with --public-url."
)


@dataclass(frozen=True)
class ConsoleSettings:
    """Where a console keeps its data, where it listens, and its limits."""

    data: Path
    database: str | None = None  # None: SQLite in the data folder
    host: str = "127.0.0.1"
    port: int = 8351
    public_url: str | None = None
    system_hosts: frozenset[str] = frozenset()  # hosts of conference systems that it may contact
    most_upload: int = 200 * MEGABYTE
    most_body: int = 16 * MEGABYTE
    busy_seconds: float = BUSY_SECONDS
    front_end: Path = FRONT_END

    @property
    def database_url(self) -> str:
        """The URL of the database. SQLite is in the data folder, where it is locked and private."""
        if self.database is not None and not self.database.startswith("postgres"):
            raise UsageError(
                "--database takes a URL such as postgresql://user@host/name; without it the data are "
                "kept in SQLite, in the folder that --data names"
            )
        return self.database or f"sqlite:///{self.sqlite_file}"

    @property
    def sqlite_file(self) -> Path:
        """The SQLite file."""
        return self.data.absolute() / "unround.db"

    @property
    def url(self) -> str:
        """The URL at which people open the console."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def link(self, secret: str) -> str:
        """Return the address of a link. Browsers send nothing behind `#` to the server."""
        return f"{self.url}/enter#{secret}"

    @property
    def is_secure(self) -> bool:
        """Whether people connect by TLS."""
        return urlsplit(self.url).scheme == "https"

    @property
    def is_local(self) -> bool:
        """Whether the URL leads to this machine only, so that nobody else can open a link."""
        return (urlsplit(self.url).hostname or "") in LOOPBACK

    @property
    def warnings(self) -> list[str]:
        """What to know before links are sent."""
        return [ONLY_HERE] if self.is_local else []

    @property
    def listens_here(self) -> bool:
        """Whether only this machine reaches the console's own port."""
        return self.host in LOOPBACK

    @property
    def cookie(self) -> str:
        """The cookie's name, with the port: ports of one host share cookies."""
        return "__Host-unround" if self.is_secure else f"unround-{self.port}"

    @property
    def uploads(self) -> Path:
        """The folder of uploaded files."""
        return self.data / "uploads"

    @property
    def identity(self) -> Path:
        """The file with the id of the database that the data folder belongs to."""
        return self.data / "identity"

    @property
    def set_aside(self) -> Path:
        """The folder of files that lay among the uploads although the database does not list them."""
        return self.data / "set-aside"

    @property
    def uncompacted(self) -> Path:
        """A file that is there while the database's files may still hold what was forgotten."""
        return self.data / "uncompacted"

    @property
    def work(self) -> Path:
        """The scratch folder of server and workers; what killed ones leave is removed at the next start."""
        return self.data / "work"
