"""Walk every case by every method, and write the tables and the picture of docs/validation.md.

    python -m benchmarks.validation                              # print everything
    python -m benchmarks.validation one_way door --seeds 3       # some cases
    python -m benchmarks.validation --methods ORCA SocialForce
    python -m benchmarks.validation --write                      # and write page, picture and docs/benchmarks/validation.csv

With `--keep FILE` every number is added to a file of lines as soon as it is there, and not computed twice. Of a part, such as
`--methods ORCA --write`, the rows are written anew, and the others stay as they are in docs/benchmarks/validation.csv.
"""

import argparse
import csv
import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.validation.methods import METHODS
from benchmarks.validation.scenes import CASES

DOCS = Path(__file__).parents[2] / "docs"
PAGE, TABLE, PICTURE = (
    DOCS / "validation.md",
    DOCS / "benchmarks" / "validation.csv",
    DOCS / "benchmarks" / "validation.png",
)
BEGIN, END = "<!-- tables: made by benchmarks/validation -->", "<!-- end of the tables -->"

SEEDS = 10

Key = tuple[str, str, float, int]
Runs = dict[Key, dict[str, float]]


def walk(key: Key) -> tuple[Key, dict[str, float]]:
    """One case by one method with one value and seed."""
    case, method, value, seed = key
    return key, {name: float(number) for name, number in CASES[case].walk(METHODS[method], value, seed).items()}


def kept(path: Path | None) -> Runs:
    """The numbers of a file of lines."""
    if path is None or not path.exists():
        return {}
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(key[0], key[1], key[2], key[3]): found for key, found in lines}


def walked(keys: list[Key], jobs: int, path: Path | None) -> Runs:
    """All numbers, those of the file first."""
    runs = {key: found for key, found in kept(path).items() if key in set(keys)}
    with ProcessPoolExecutor(jobs) as pool:
        for each in as_completed([pool.submit(walk, key) for key in keys if key not in runs]):
            if each.exception() is not None:
                pool.shutdown(cancel_futures=True)
            key, found = each.result()
            runs[key] = found
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, found]) + "\n")
    return {key: runs[key] for key in keys}


def beside(runs: Runs, path: Path = TABLE) -> Runs:
    """All runs in the order of the tables: these, and of the written numbers those of other cases, methods and values."""
    known: Runs = {}
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            for case, method, value, seed, number, text in list(csv.reader(file))[1:]:
                known.setdefault((case, method, float(value), int(seed)), {})[number] = float(text)
    again = {key[:3] for key in runs}
    known = {key: found for key, found in known.items() if key[:3] not in again} | runs
    cases, methods = list(CASES), list(METHODS)
    ordered = (key for key in known if key[0] in CASES and key[1] in METHODS and key[2] in CASES[key[0]].values)
    return {
        key: known[key] for key in sorted(ordered, key=lambda k: (k[3], cases.index(k[0]), methods.index(k[1]), k[2]))
    }


def values_of(runs: Runs, case: str, method: str, value: float, name: str) -> Any:
    """One number of all seeds."""
    return np.array([found[name] for key, found in runs.items() if key[:3] == (case, method, value)])


def tables(runs: Runs) -> Iterator[str]:
    """The lines of all tables."""
    methods = [name for name in METHODS if any(key[1] == name for key in runs)]
    yield from (f"Means of {1 + max(key[3] for key in runs)} seeds, with their standard deviations.", "")
    for name, case in CASES.items():
        if not any(key[0] == name for key in runs):
            continue
        yield from (f"## {case.title}", "", case.about, "")
        for number, head in case.heads.items():
            judged = case.judge if number == next(iter(case.heads)) else None
            yield from (
                f"| {head} | {' | '.join(f'{value:g}' for value in case.values)} |",
                "|---|" + "---:|" * len(case.values),
            )
            if judged is not None:
                ranges = [judged(value) for value in case.values]
                yield f"| *published* | {' | '.join(f'*{each.low:.2f} - {each.high:.2f}*' for each in ranges)} |"
            for method in methods:
                cells = [
                    cell(values_of(runs, name, method, value, number), judged and judged(value))
                    for value in case.values
                ]
                yield f"| {method} | {' | '.join(cells)} |"
            yield from ("", f"Published: {judged(case.values[0]).source}." if judged else "", "")


def cell(found: Any, judged: Any) -> str:
    """Mean and standard deviation over the seeds; bold within the range, else how far outside."""
    text = f"{found.mean():.2f} ± {found.std():.2f}"
    if judged is None:
        return text
    verdict = judged.verdict(found.mean())
    return f"**{text}**" if verdict == "within" else f"{text} ({verdict})"


def write(runs: Runs) -> None:
    """Write the page, the numbers and the picture."""
    from benchmarks.validation.charts import chart

    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(tables(runs))).strip()
    PAGE.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "method", "value", "seed", "number", "is"])
        writer.writerows([*key, name, f"{number:.4g}"] for key, found in runs.items() for name, number in found.items())
    chart(PICTURE, runs)


def main() -> None:
    """Walk, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"some of {', '.join(CASES)}; default: all")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS), metavar="METHOD")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="processes at once")
    parser.add_argument("--keep", type=Path, help="a file of lines that numbers are kept in")
    parser.add_argument("--write", action="store_true", help="write docs/validation.md, its picture and its numbers")
    asked = parser.parse_args()
    if unknown := set(asked.cases) - set(CASES):
        parser.error(f"there is no case {', '.join(sorted(unknown))}")
    keys = [
        (case, method, float(value), seed)
        for seed in range(asked.seeds)
        for case in asked.cases or CASES
        for method in asked.methods
        for value in CASES[case].values
    ]
    runs = walked(keys, asked.jobs, asked.keep)
    print("\n".join(tables(runs)))
    if asked.write:
        write(beside(runs))


if __name__ == "__main__":
    main()
