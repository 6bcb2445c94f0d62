"""A disk that lies as disks do: what it may hold after a power cut, given what was written and what was waited for.

What was synced is there. Of what was written to a file since its last sync, each piece is there, is not, or is there in
part: up to or from a border of 512 or 4,096 bytes, or in any of its sectors of 512 bytes; where the file grew without its
bytes, it holds zeros. Names (files made, renamed, removed) change in their order, as journals of file systems have it; the
sync of a folder, or of a file for the name it was made under, makes all earlier ones last.
"""

from .trace import CREATE, FOLDER, LINK, RENAME, SYNC, TRUNCATE, UNLINK, WRITE


class File:
    def __init__(self, content=b""):
        self.synced = bytes(content)  # what is there in any case
        self.pending = []  # writes and truncations since
        self._whole = None

    def sync(self):
        self.synced = self.whole()
        self.pending = []

    def add(self, call):
        self.pending.append(call)
        self._whole = None

    def whole(self):
        if self._whole is None:
            self._whole = self.content(range(len(self.pending)))
        return self._whole

    def content(self, kept, torn=None):
        """The bytes with those of the pending calls alone; `torn` has the parts of a write that are there."""
        if not kept and not torn:
            return self.synced
        bytes_ = bytearray(self.synced)
        for index in kept:
            call = self.pending[index]
            if call.kind == TRUNCATE:
                if call.offset < len(bytes_):
                    del bytes_[call.offset :]
                else:
                    bytes_.extend(bytes(call.offset - len(bytes_)))
                continue
            parts = torn.get(index) if torn else None
            for begin, end in parts if parts is not None else ((0, len(call.data)),):
                start = call.offset + begin
                if start > len(bytes_):
                    bytes_.extend(bytes(start - len(bytes_)))
                bytes_[start : call.offset + end] = call.data[begin:end]
        return bytes(bytes_)


class Disk:
    """The files of one folder of a trace, as calls change them."""

    def __init__(self, files):
        """`files` are the names, and the inodes and contents, that were there at first."""
        self.files = {inode: File(content) for inode, content in files.values()}
        self.names = {name: inode for name, (inode, _) in files.items()}  # names that last
        self.renamings = []  # calls that changed names since
        self.synced_names = 0  # how many have lasted so far, for the reader's numbers
        self.last_sync = None

    def apply(self, call):
        if call.kind == CREATE:
            self.files[call.file] = File()
            self.renamings.append(call)
        elif call.kind in (WRITE, TRUNCATE):
            if call.file in self.files:
                self.files[call.file].add(call)
        elif call.kind == SYNC:
            file = self.files.get(call.file)
            if file is None:  # a folder
                self._make_last(len(self.renamings))
            else:
                file.sync()
                made = [i for i, c in enumerate(self.renamings) if c.kind == CREATE and c.file == call.file]
                if made:
                    self._make_last(made[-1] + 1)
        elif call.kind in (RENAME, UNLINK, LINK, FOLDER):
            self.renamings.append(call)

    def _make_last(self, count):
        for call in self.renamings[:count]:
            change_names(self.names, call)
        del self.renamings[:count]

    def names_after(self, count):
        """The names if so many of the changes since have lasted."""
        if count == 0:
            return self.names
        names = dict(self.names)
        for call in self.renamings[:count]:
            change_names(names, call)
        return names

    def killed(self):
        """What is there if only the process died: everything."""
        return {name: self.files[inode].whole() for name, inode in self.names_after(len(self.renamings)).items()}

    def cut(self, random):
        """One of the states in which a power cut may leave the disk."""
        many = len(self.renamings)
        count = random.choice((0, many, random.randint(0, many))) if many else 0
        return {name: self._leave(self.files[inode], random) for name, inode in self.names_after(count).items()}

    def _leave(self, file, random):
        pending = len(file.pending)
        if pending == 0:
            return file.synced
        way = random.randrange(9)
        everything = range(pending)
        last = random.randrange(pending)
        if way == 0:
            return file.whole()
        if way == 1:
            return file.synced
        if way == 2:  # all but one
            return file.content([i for i in everything if i != last])
        if way == 3:  # one alone
            return file.content([last])
        if way == 4:  # the first ones, the next of them torn
            return file.content(range(last + 1), {last: tear(file.pending[last], random)})
        if way == 5:  # the last ones
            return file.content(range(last, pending))
        if way == 6:  # the first ones, and after them a few of a window
            window = range(last, min(pending, last + 8))
            return file.content([*range(last), *(i for i in window if random.random() < 0.5)])
        if way == 7:  # all, some of them torn
            torn = {i: tear(file.pending[i], random) for i in everything if random.random() < 2 / pending}
            return file.content(everything, torn)
        odds = random.choice((0.1, 0.5, 0.9))
        return file.content([i for i in everything if random.random() < odds])


def tear(call, random):
    """The parts of a write that reached the disk."""
    size = len(call.data)
    if call.kind == TRUNCATE or size <= 1:
        return None
    unit = random.choice((512, 512, 4096))
    # Borders are those of the disk, not of the write.
    first = -call.offset % unit or unit
    borders = list(range(first, size, unit)) or [size // 2]
    border = random.choice(borders)
    way = random.randrange(3)
    if way == 0:
        return [(0, border)]
    if way == 1:
        return [(border, size)]
    edges = [0, *borders, size]
    return [part for part in zip(edges, edges[1:]) if random.random() < 0.5]


def change_names(names, call):
    if call.kind == CREATE:
        names[call.name] = call.file
    elif call.kind == UNLINK:
        names.pop(call.name, None)
    elif call.kind == RENAME:
        below = call.name + "/"
        for name in [n for n in names if n.startswith(below)]:
            names[call.other + name[len(call.name) :]] = names.pop(name)
        if call.name in names:
            names[call.other] = names.pop(call.name)
    elif call.kind == LINK and call.name in names:
        names[call.other] = names[call.name]
