"""What earlier runs have found out, line by line in a file, so that an ended run goes on where it was."""

import json


class Known:
    """Answers by kind and name. Each has a key, which says for which state of the sources it holds."""

    def __init__(self, path):
        self.path = path
        self.answers = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                kind, name, key, value = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was killed
            self.answers[kind, name] = key, value
        # What newer lines have replaced goes.
        path.write_text("".join(self.line(*name, *answer) for name, answer in self.answers.items()))

    @staticmethod
    def line(kind, name, key, value):
        return json.dumps([kind, name, key, value]) + "\n"

    def get(self, kind, name, key):
        """What was found out for this state, or nothing."""
        found = self.answers.get((kind, name))
        return found[1] if found and found[0] == key else None

    def last(self, kind, name):
        """What was found out last, for whatever state."""
        return self.answers.get((kind, name), (None, None))[1]

    def put(self, kind, name, key, value):
        self.answers[kind, name] = key, value
        with self.path.open("a") as file:
            file.write(self.line(kind, name, key, value))
