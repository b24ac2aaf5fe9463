"""How to cite the library with a run; CITATION.cff says the same."""

import re
from collections.abc import Mapping
from typing import Any

from steersman.core.parameters.brief import brief
from steersman.core.steering.source import Source

AUTHORS = "The steersman developers"
TITLE = "steersman: steering behaviors for autonomous characters"
PAPER = (
    'Reynolds, Craig W. (1999). "Steering Behaviors for Autonomous Characters". '
    "Proceedings of the Game Developers Conference, 763-782."
)

PAPER_ENTRY = """@inproceedings{reynolds1999,
  author = {Reynolds, Craig W.},
  title = {Steering Behaviors for Autonomous Characters},
  booktitle = {Proceedings of the Game Developers Conference},
  pages = {763--782},
  year = {1999}
}"""


def cite(meta: Mapping[str, Any], style: str) -> str:
    """The citation of a run by the content of its meta.json; see `Run.cite`."""
    version, year = meta.get("versions", {}).get("steersman"), str(meta.get("begun", ""))[:4]
    run = "; ".join(_facts(meta))
    if style == "text":
        papers = "\n".join([PAPER, *map(_line, _sources(meta))])
        return f"{AUTHORS} ({year}). {TITLE}, version {version}.\n{papers}\nRun: {run}."
    if style == "bibtex":
        fields = {
            "author": f"{{{AUTHORS}}}",
            "title": TITLE,
            "version": version,
            "year": year,
            "note": f"Run: {_escaped(run)}",
        }
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return "\n\n".join([f"@software{{steersman,\n{body}\n}}", PAPER_ENTRY, *map(_entry, _sources(meta))])
    raise ValueError(f'style must be "text" or "bibtex", got {brief(style)}')


def _sources(meta: Mapping[str, Any]) -> list[Source]:
    """The publications of the behaviors, at the start and at each resumption; none for runs of older versions."""
    made = [meta.get("provenance", {}), *(each.get("provenance", {}) for each in meta.get("resumed", ()))]
    named = [Source(**{**each, "authors": tuple(each["authors"])}) for one in made for each in one.get("sources", ())]
    return list(dict.fromkeys(named))


def _line(source: Source) -> str:
    """A publication in a line."""
    *first, last = source.authors
    authors = f"{', '.join(first)} and {last}" if first else last
    return f'{authors} ({source.year}). "{source.title}".{f" {source.number}." if source.number else ""}'


def _entry(source: Source) -> str:
    """A publication as an entry of BibTeX; names of several words stay together."""
    key = f"{source.authors[0].replace(' ', '').lower()}{source.year}"
    fields = {
        "author": " and ".join(f"{{{each}}}" if " " in each else each for each in source.authors),
        "title": _escaped(source.title),
        "year": str(source.year),
        **({"note": _escaped(source.number)} if source.number else {}),
    }
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{key},\n{body}\n}}"


def _escaped(text: str) -> str:
    """A text with the characters that mean something to LaTeX escaped."""
    return re.sub(r"([#$%&_])", r"\\\1", text)


def _facts(meta: Mapping[str, Any]) -> list[str]:
    """The data that identify a run."""
    made = meta.get("provenance", {})
    facts = [f"{meta['run']} of {meta.get('begun', 'an unknown day')}", f"seed {meta['seed']}", f"dt {meta['dt']:g} s"]
    if project := made.get("project"):
        facts.append(f"code at commit {project['commit']}{' with changes' if project.get('dirty') else ''}")
    if end := meta.get("end"):
        facts.append(f"state {end['state_hash']} after step {end['step']}")
    if made.get("platform"):
        facts.append(f"on {made['platform']}")
    return facts
