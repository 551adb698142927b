"""Read EasyChair's committee: the e-mail behind each member and person number."""

from __future__ import annotations

from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options
from unround.formats.systems.easychair.exports import LAYOUTS, Export
from unround.formats.systems.sheet_tables import SheetTable, tables


def member_key(number: str) -> str:
    """Return the key of a committee member in FileContent.members."""
    return f"EasyChair member {number}"


def person_key(number: str) -> str:
    """Return the key of a person, who need not be on the committee."""
    return f"EasyChair person {number}"


def read_committee(source: Source, _: Options) -> FileContent:
    """Read a committee file."""
    members: dict[str, str] = {}
    for kind, table in tables(source, LAYOUTS):
        if kind is Export.COMMITTEE:
            members |= members_in(table)
    if not members:
        raise ImportRefused(f"{source.name} (EasyChair committee) names nobody with an e-mail")
    people = sum(key.startswith(member_key("")) for key in members)
    return FileContent(
        recognised=f"{source.name}: EasyChair committee, {people} members and their e-mails",
        members=members,
    )


def members_in(table: SheetTable) -> dict[str, str]:
    """Return the e-mail of every member number and person number of a committee table."""
    columns = [(table.find("#"), member_key), (table.find("person #"), person_key)]
    email = table.find("email")
    members: dict[str, str] = {}
    for row in table.records():
        address = row.cells.get(-1 if email is None else email, "").strip()
        for column, key in columns:
            number = row.cells.get(-1 if column is None else column, "").strip()
            if address and number:
                members[key(number)] = address
    return members
