"""What disk.c has written down: the calls that changed files, in their order."""

import struct
from dataclasses import dataclass

CREATE, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, LINK, FOLDER, MARK = range(1, 10)
HEADER = struct.Struct("<BQqII")


@dataclass(slots=True)
class Call:
    kind: int
    file: int  # the inode
    offset: int
    name: str
    data: bytes

    @property
    def other(self):
        """The second name of a renaming or a link."""
        return self.data.decode()


def read_trace(path):
    with open(path, "rb") as file:
        content = file.read()
    calls, place = [], 0
    while place < len(content):
        kind, inode, offset, name_size, count = HEADER.unpack_from(content, place)
        place += HEADER.size
        name = content[place : place + name_size].decode(errors="surrogateescape")
        place += name_size
        calls.append(Call(kind, inode, offset, name, content[place : place + count]))
        place += count
    return calls
