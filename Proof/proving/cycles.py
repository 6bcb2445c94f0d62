"""Whether a history of transactions on lists could have happened one after the other.

Each transaction reads whole lists, or appends values that are written once. What was read tells in which order values were
appended, and so which transaction must have come before which: the writer of a value before that of the next one (ww), a
writer before whoever reads its value (wr), a reader before the writer of the next value (rw), and those of one process in
their order. A cycle among them is an anomaly.
"""


def check(transactions, final):
    """Problems of a history. `transactions` are (number, process, parts), in the order of each process; a part is
    ("r", key, values) or ("a", key, value). `final` has the values of each list at the end."""
    problems = []
    writer = {}
    for number, _, parts in transactions:
        for kind, key, value in parts:
            if kind == "a":
                if value in writer:
                    problems.append(f"value {value} was appended twice")
                writer[value] = number
    place = {}
    for key, values in final.items():
        for index, value in enumerate(values):
            if value in place:
                problems.append(f"value {value} is in lists twice")
            place[value] = (key, index)
            if value not in writer:
                problems.append(f"value {value} is in list {key}, but its transaction was not confirmed")
    lost = [value for value in writer if value not in place]
    if lost:
        problems.append(f"{len(lost)} confirmed values are lost, such as {lost[0]}")

    edges = {number: set() for number, _, _ in transactions}

    def edge(before, after):
        if before is not None and after is not None and before != after:
            edges.setdefault(before, set()).add(after)

    for values in final.values():
        for before, after in zip(values, values[1:]):
            edge(writer.get(before), writer.get(after))
    last = {}
    for number, process, parts in transactions:
        edge(last.get(process), number)
        last[process] = number
        own = {}
        for kind, key, value in parts:
            if kind == "a":
                own.setdefault(key, []).append(value)
                continue
            whole = final.get(key, [])
            read = value
            if read != whole[: len(read)]:
                problems.append(f"transaction {number} read list {key} as {read[-5:]}, which it never was")
                continue
            mine = own.get(key, [])
            if mine and read[-len(mine) :] != mine:
                problems.append(f"transaction {number} does not read what it has appended to list {key}")
            # What it has appended itself tells nothing of others.
            others = [v for v in read if v not in mine]
            if others:
                edge(writer.get(others[-1]), number)
            if len(read) < len(whole):
                edge(number, writer.get(whole[len(read)]))
    cycle = find_cycle(edges)
    if cycle:
        problems.append(f"transactions that each came before the next: {' '.join(map(str, cycle))}")
    return problems


def find_cycle(edges):
    """The nodes of a cycle, or nothing; without recursion."""
    state = {}
    for root in edges:
        if root in state:
            continue
        path, stack = [], [(root, iter(edges[root]))]
        state[root] = 1
        path.append(root)
        while stack:
            node, following = stack[-1]
            for other in following:
                if state.get(other) == 1:
                    return path[path.index(other) :]
                if other not in state:
                    state[other] = 1
                    path.append(other)
                    stack.append((other, iter(edges.get(other, ()))))
                    break
            else:
                state[node] = 2
                path.pop()
                stack.pop()
    return []
