"""Lines to `perilune mcp`: calls of tools with words of the store's model, and what is nearly one."""

import json
import subprocess

from .attack import SLOW
from .bench import MOST_KEPT
from .texts import mutate

BATCH = 1_000
SAMPLES = ("magnitude > 3", "place CONTAINS 'a' AND magnitude < 6", "$x == 1", "1=1; DROP TABLE quake", "", "-magnitude", "Quake")
TOOLS = {
    "describe": ("entity",), "find": ("entity", "where", "columns", "sort", "limit", "cursor"),
    "ask": ("entity", "where", "values", "group", "limit"), "why": ("entity", "where"), "explain": ("entity", "where"),
    "run": ("script",), "swift": ("entity", "where", "arguments"), "changes": ("since",), "none": ("entity",),
}
SCRIPTS = ("return Quake:count()", "return Quake:where('magnitude > 3'):first()", "Quake {} save()", "return io.open('x')", "error {}")


def value(random, name, depth=0):
    """What may stand for an argument: mostly what is expected there."""
    if depth < 3 and random.random() < 0.15:
        return {name: value(random, name, depth + 1)} if random.random() < 0.5 else [value(random, name, depth + 1)]
    if random.random() < 0.1:
        return random.choice((None, True, 0, -1, 1.5, 1e308, 1 << 63, "\0", "\u202e", "x" * 2_000))
    texts = {"entity": ("Quake", "Quake", "Station", "Nothing"), "script": SCRIPTS}.get(name, SAMPLES)
    return random.randrange(0, 50) if name == "limit" else random.choice(texts)


def line(random, number):
    """A request, or what is nearly one."""
    tool, names = random.choice(list(TOOLS.items()))
    method = "tools/call" if random.random() < 0.9 else random.choice(("tools/list", "initialize", "ping", "none"))
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    arguments = {name: value(random, name) for name in names if name in ("entity", "script") or random.random() < 0.5}
    text = json.dumps(
        {"jsonrpc": "2.0", "id": number, "method": method, "params": {"name": tool, "arguments": arguments, "_meta": meta}})
    if random.random() < 0.6:
        text = mutate(text, random, [text, *SAMPLES])
    return text.encode(errors="replace").replace(b"\n", b" ")


def wrong(bench, store, lines):
    """What was wrong with the answers to lines; nothing if all was right."""
    before = store.read_bytes()
    last = json.dumps({"jsonrpc": "2.0", "id": "last", "method": "ping"}).encode()
    try:
        done = subprocess.run(
            [bench.program, "mcp", "--timeout", "1", store], input=b"\n".join([*lines, last, b""]), capture_output=True,
            env=bench.environment(), timeout=SLOW + len(lines) / 10)
    except subprocess.TimeoutExpired:
        return "does not come to its end"
    if done.returncode != 0:
        return f"ends with status {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}"
    try:
        answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    except ValueError as error:
        return f"answers what is no JSON: {error}"
    if not answers or answers[-1].get("id") != "last":
        return "does not answer the last line"
    return None if store.read_bytes() == before else "writes to the store"


def try_calls(bench, store, random, ends):
    """Sends lines until the time is over; returns how many."""
    own = bench.fresh("calls") / "sample.sqlite"
    own.write_bytes(store.read_bytes())
    count = 0
    while not bench.is_past(ends) and bench.failures < MOST_KEPT:
        lines = [line(random, number) for number in range(BATCH)]
        count += BATCH
        why = wrong(bench, own, lines)
        if not why:
            continue
        # Half as many as long as these alone show it.
        while len(lines) > 1:
            halves = lines[: len(lines) // 2], lines[len(lines) // 2 :]
            found = next((half for half in halves if wrong(bench, own, half)), None)
            if not found:
                break
            lines = found
        kept = bench.fresh("lines")
        (kept / "lines.jsonl").write_bytes(b"\n".join([*lines, b""]))
        bench.fail(f"the server of tools {why}", ["perilune mcp sample.sqlite < lines/lines.jsonl"], [kept, own])
    return count
