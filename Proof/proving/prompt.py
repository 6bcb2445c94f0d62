"""A plain model of the text at the prompt: what each key makes of it, and of the history."""

import unicodedata


def width(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


class Prompt:
    """The text, the cursor, and the entries of the history with what was edited in them.

        prompt = Prompt()
        prompt.type("ab"); prompt.key("left"); prompt.type("c")
        prompt.text      # "acb"
    """

    def __init__(self):
        self.entries = []
        self.begin()

    def begin(self):
        """An empty line, as after Enter and Ctrl-C: edits of entries that were not sent are gone."""
        self.text, self.point, self.place = "", 0, len(self.entries)
        self.edited, self.typed = {}, None

    def type(self, text):
        self.text = self.text[: self.point] + text + self.text[self.point:]
        self.point += len(text)

    def key(self, name):
        getattr(self, name)()

    def sent(self):
        """Enter on a complete text."""
        text = self.text.rstrip("\n")
        if text.strip() and not text.startswith(" "):
            if text in self.entries:
                self.entries.remove(text)
            self.entries.append(text)
        self.begin()

    # Within the text.

    def left(self):
        self.point = max(self.point - 1, 0)

    def right(self):
        self.point = min(self.point + 1, len(self.text))

    def start(self):
        self.point = self._line_start(self.point)

    def end(self):
        self.point = self._line_end(self.point)

    def word_left(self):
        while self.point and not self.text[self.point - 1].isalnum():
            self.point -= 1
        while self.point and self.text[self.point - 1].isalnum():
            self.point -= 1

    def word_right(self):
        while self.point < len(self.text) and not self.text[self.point].isalnum():
            self.point += 1
        while self.point < len(self.text) and self.text[self.point].isalnum():
            self.point += 1

    def backspace(self):
        if self.point:
            self._cut(self.point - 1, self.point)

    def delete(self):
        self._cut(self.point, self.point + 1)

    def kill_to_end(self):
        self._cut(self.point, len(self.text))

    def kill_to_start(self):
        self._cut(0, self.point)

    def kill_word(self):
        point = self.point
        self.word_right()
        self._cut(point, self.point)

    def kill_word_back(self):
        point = self.point
        self.word_left()
        self._cut(self.point, point)

    def kill_blank_word_back(self):
        start = self.point
        while start and self.text[start - 1] in " \t":
            start -= 1
        while start and self.text[start - 1] not in " \t":
            start -= 1
        self._cut(start, self.point)

    # By vi's commands, where the cursor stands on a character.

    def leave_typing(self):
        self.left()

    def vi(self, command):
        last = max(len(self.text) - 1, 0)
        match command:
            case "h":
                self.left()
            case "l":
                self.point = min(self.point + 1, max(last, self.point))
            case "0":
                self.start()
            case "$":
                self.point = max(self._line_end(self.point) - 1, self._line_start(self.point))
            case "x":
                self.delete()
                self.point = min(self.point, max(len(self.text) - 1, 0))
            case "a":
                self.right()
            case "I":
                self.point = 0
            case "A":
                self.point = len(self.text)

    # Between the lines of a text, and the entries.

    def up(self):
        start = self._line_start(self.point)
        if start:
            self.point = self._beside(self._line_start(start - 1))
        else:
            self.older()

    def down(self):
        end = self._line_end(self.point)
        if end < len(self.text):
            self.point = self._beside(end + 1)
        else:
            self.newer()

    def older(self):
        if self.place:
            self._go(self.place - 1)

    def newer(self):
        if self.place < len(self.entries):
            self._go(self.place + 1)

    def oldest(self):
        if self.place:
            self._go(0)

    def newest(self):
        if self.place < len(self.entries):
            self._go(len(self.entries))

    def _go(self, place):
        if self.place == len(self.entries):
            self.typed = self.text
        else:
            self.edited[self.place] = self.text
        self.place = place
        self.text = self.typed if place == len(self.entries) else self.edited.get(place, self.entries[place])
        self.point = len(self.text)

    def _cut(self, start, end):
        self.text = self.text[:start] + self.text[end:]
        self.point = start

    def _line_start(self, point):
        return self.text.rfind("\n", 0, point) + 1

    def _line_end(self, point):
        end = self.text.find("\n", point)
        return len(self.text) if end < 0 else end

    def _beside(self, start):
        """The place in the line from `start` on that is as many columns into it as the cursor is into its own."""
        columns = width(self.text[self._line_start(self.point): self.point])
        place, end = start, self._line_end(start)
        while place < end and width(self.text[start: place + 1]) <= columns:
            place += 1
        return place
