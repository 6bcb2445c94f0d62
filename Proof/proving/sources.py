"""Scripts and Swift files that are nearly right, and what `perilune check` says of them."""

import json
import re
import subprocess

from .attack import EXAMPLES, INTERNAL, SLOW
from .bench import MOST_KEPT
from .texts import DOCS, mutate

BATCH = 100


def corpus():
    """Whole scripts and Swift files: of the examples, and blocks of the documentation."""
    found = {"lua": [], "swift": []}
    for kind, texts in found.items():
        texts += [path.read_text() for path in sorted(EXAMPLES.rglob(f"*.{kind}"))]
        for path in sorted(DOCS.rglob("*.md")):
            texts += re.findall(rf"^```{kind}[^\n]*\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    return found


def mistakes(output, files):
    """What is wrong with findings: they are no JSON, stand outside of their file, or hold what no message for people does."""
    for line in output.splitlines():
        try:
            finding = json.loads(line)
            text = files[finding["file"].split("/")[-1]]
            lines = re.split(rb"\r\n|\n|\r", text.encode())
            row = finding["line"]
            width = len(lines[row - 1]) if 1 <= row <= len(lines) else -1
            # Of some mistakes in scripts the line alone is known.
            start = finding["column"] or 1
            if not 0 <= start - 1 <= (finding["endColumn"] or start) - 1 <= width:
                yield f"stands outside of its file: {line}"
            if INTERNAL.search(finding["message"]) and not INTERNAL.search(text):
                yield f"holds what no message does: {line}"
        except (ValueError, KeyError):
            yield f"is no finding: {line}"


def wrong(bench, store, folder, files):
    """What was wrong with the check of a folder; nothing if all was right."""
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    try:
        done = subprocess.run(
            [bench.program, "check", "--format", "json", "--store", store, folder], capture_output=True,
            env=bench.environment(), timeout=SLOW)
    except subprocess.TimeoutExpired:
        return f"takes more than {SLOW} s"
    if done.returncode not in (0, 1):
        return f"ends with status {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}"
    return next(mistakes(done.stdout.decode(errors="replace"), files), None)


def try_sources(bench, store, random, ends):
    """Checks files until the time is over; returns how many."""
    found, count = corpus(), 0
    while not bench.is_past(ends) and bench.failures < MOST_KEPT:
        files = {}
        for number in range(BATCH):
            kind = random.choice(("lua", "swift"))
            text = mutate(random.choice(found[kind]), random, found[kind])
            files[f"{number}.{kind}"] = text.encode(errors="replace").decode()
        count += BATCH
        if not wrong(bench, store, bench.fresh("sources"), files):
            continue
        # Names of a folder's scripts are known in each of them, so that a file alone may be right.
        alone = {name: why for name, text in files.items() if (why := wrong(bench, store, bench.fresh("sources"), {name: text}))}
        folder = bench.fresh("sources")
        for name in alone or files:
            (folder / name).write_bytes(files[name].encode())
        why = next(iter(alone.values()), None) or wrong(bench, store, folder, files)
        bench.fail(f"a check {why}", [f"perilune check --format json --store sample.sqlite sources  # see {folder.name}"], [folder])
    return count
