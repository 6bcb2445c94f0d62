"""The table for people, and the same as data."""

import sys


def shown(metric, value):
    if metric == "bytes":
        return f"{value:.0f} B"
    if metric in ("frames", "commits"):
        return f"{value:.1f}"
    if value < 0.001:
        return f"{value * 1e6:.2f} µs"
    return f"{value * 1000:.2f} ms" if value < 0.1 else f"{value:.3f} s"


def as_ratio(value):
    return f"{value:.2f}" if value >= 0.01 else f"1/{1 / value:,.0f}"


def as_goal(value):
    return f"{value:g}" if value >= 0.01 else as_ratio(value)


def judged(value, goal, text):
    return "≤ " + text, "pass" if value <= goal else "MISS"


def rows_of(job, measure):
    """Lines of the table: name, median, ratio, goal, verdict, peak."""
    metric = measure.metric
    own = job.contenders[0].median(metric) if not job.contenders[0].error else None
    for contender in job.contenders:
        if contender.missing or contender.error:
            if not measure.label:  # once is enough
                said = f"missing: {contender.missing}" if contender.missing else f"FAILED: {contender.error}"
                yield [contender.name, said]
            continue
        value = contender.median(metric)
        if value is None:  # not everyone has every number
            continue
        ratio = goal = verdict = ""
        if contender is job.contenders[0]:
            if measure.limit is not None:
                goal, verdict = judged(value, measure.limit, shown(metric, measure.limit))
        elif own is not None and own > 0 and value > 0:
            ratio = as_ratio(own / value)
            if (times := measure.goals.get(contender.name)) is not None:
                goal, verdict = judged(own / value, times, as_goal(times))
        peak = contender.median("peak")
        yield [contender.name, shown(metric, value), ratio, goal, verdict, f"{peak:.0f} MB" if peak else ""]


def verdicts_of(job):
    return [cells[4] for measure in job.measures for cells in rows_of(job, measure) if len(cells) > 2 and cells[4]]


def print_job(job):
    for measure in job.measures:
        print(f"{job.name}, {measure.label}:" if measure.label else f"{job.name}: {job.title}")
        for cells in rows_of(job, measure):
            if len(cells) == 2:
                print(f"  {cells[0]:<22} {cells[1]}")
            else:
                name, value, ratio, goal, verdict, peak = cells
                print(f"  {name:<22} {value:>10} {ratio:>8}  {goal:<11} {verdict:<5} {peak:>8}")
    sys.stdout.flush()


def as_data(job):
    for measure in job.measures:
        own = job.contenders[0].median(measure.metric)
        for contender in job.contenders:
            value = contender.median(measure.metric)
            is_own = contender is job.contenders[0]
            yield {
                "job": job.name,
                "title": job.title,
                "contender": contender.name,
                "metric": measure.metric,
                "median": value,
                "ratio": own / value if own and value and not is_own else None,
                "goal": measure.limit if is_own else measure.goals.get(contender.name),
                "peakMB": contender.median("peak"),
                "missing": contender.missing,
                "error": contender.error,
                "samples": contender.samples,
            }
