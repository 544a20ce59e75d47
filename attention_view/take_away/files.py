"""What a page has to take away: pictures, tables, numbers and itself, each a file that is made when asked for."""

import base64
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from html import unescape
from typing import Any, NamedTuple

from attention_core.record_files import record_json, record_npz
from attention_view.colours import Theme
from attention_view.figures import alt_text
from attention_view.numbers import in_full
from attention_view.offered import PAGE
from attention_view.pictures import csv_text, page_file, token_picture
from attention_view.pictures.csv_text import Table, tables_in
from attention_view.pictures.map_picture import map_pictures, map_tables
from attention_view.pictures.pieces import Drawn, Figure, Follows, Heading, Map, Markup, Still, Tables, View

PICTURES, TABLES, NUMBERS, WHOLE = "Pictures", "Tables", "All numbers of this page", "This page as one file"
TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv;charset=utf-8",
    "npz": "application/octet-stream",
    "json": "application/json",
    "html": "text/html;charset=utf-8",
}
ASKS = "the numbers of the word that asks"
DRAWING = re.compile(r"<(figure|table|section)\b|role=.table")  # markup that is more than a sentence
FOUND_BY = 80  # letters of markup by which the browser finds it
LONGEST_NAME = 60  # characters of a file's name that tell what is in it


@dataclass(frozen=True)
class Source:
    """A page: what is drawn on it, in order, the records behind it by name, what it is called, and how it looks."""

    pieces: Sequence[Drawn]
    records: Mapping[str, Any]
    _: KW_ONLY
    stem: str
    title: str
    promise: str
    product: str
    link: str
    styles: str
    theme: Theme


class Offer(NamedTuple):
    """One thing to take away: in which group it is listed, its name, and how to make it in each of its forms.

    A Plotly figure and markup are turned into a picture by the browser: `where` says by what it finds them on the
    page, by the alt text of a "plot", the count of the markup that "follows" a token, or the text of other "markup".
    """

    group: str
    name: str
    file: str  # its name without the ending
    forms: dict[str, Callable[[], str | bytes]]
    where: dict[str, str | int] | None = None
    caption: str = ""


def offers(source: Source) -> list[Offer]:
    """Everything that the page has to take away, in the order of the page; no two files have the same name."""
    found = [*_pictures(source), *_tables(source), *_numbers(source), _whole(source)]
    times: Counter[tuple[str, str]] = Counter()
    distinct = []
    for offer in found:
        times[offer.group, offer.file] += 1
        n = times[offer.group, offer.file]
        distinct.append(offer._replace(name=f"{offer.name} ({n})", file=f"{offer.file}-{n}") if n > 1 else offer)
    return distinct


def message(listed: Sequence[Offer], wanted: object = None) -> bytes:
    """What the browser is told: the list, and the file of what was asked for, if that is on the list.

    wanted: the place in the list and the form, as in "2 csv"
    """
    groups = [
        {
            "title": group,
            "items": [
                {
                    "id": place,
                    "name": offer.name,
                    "file": offer.file,
                    "forms": ["svg", "png"] if offer.where else list(offer.forms),
                    "where": offer.where,
                    "caption": offer.caption,
                }
                for place, offer in enumerate(listed)
                if offer.group == group
            ],
        }
        for group in dict.fromkeys(offer.group for offer in listed)
    ]
    return json.dumps({"groups": groups, "file": _file(listed, wanted)}).encode()


def _file(listed: Sequence[Offer], wanted: object) -> dict[str, str] | None:
    match wanted.split() if isinstance(wanted, str) else []:
        case [place, form] if place.isdecimal() and int(place) < len(listed) and form in listed[int(place)].forms:
            offer = listed[int(place)]
            made = offer.forms[form]()
            content = made if isinstance(made, bytes) else made.encode()
            return {
                "turn": secrets.token_hex(4),
                "name": f"{offer.file}.{form}",
                "type": TYPES[form],
                "base64": base64.b64encode(content).decode(),
            }
    return None


def _pictures(source: Source) -> Iterator[Offer]:
    follows, heading = -1, source.title
    credit = f"{source.title} · {source.product}"
    for piece in source.pieces:
        follows += isinstance(piece, Follows)
        match piece:
            case Heading(text):
                heading = text
            case View(data, ask) if data["parts"] != ["tokens"]:
                what = [part for part in ("lines", "grid", "numbers") if part in data["parts"]]
                name = f"{' and '.join(what)}: {data['caption'] or 'who looks at whom'}"
                svg = partial(token_picture, data, ask=ask, theme=source.theme, credit=credit)
                yield Offer(PICTURES, name, _name(source, name), {"svg": svg, "png": svg})
            case Still(name, make):
                svg = partial(make, theme=source.theme, credit=credit)
                yield Offer(PICTURES, name, _name(source, name), {"svg": svg, "png": svg})
            case Map(data, ask):
                for name, drawn in map_pictures(data, ask=ask, theme=source.theme, credit=credit):
                    yield Offer(PICTURES, name, _name(source, name), {"svg": drawn, "png": drawn})
            case Figure(figure):
                alt = alt_text(figure)
                name = re.split(r"\. |: ", alt)[0].rstrip(".")
                caption = str(figure.layout.meta["caption"])
                yield Offer(PICTURES, name, _name(source, name), {}, {"plot": alt}, caption)
            case Follows(markup) if DRAWING.search(markup):
                yield Offer(PICTURES, ASKS, _name(source, ASKS), {}, {"follows": follows}, credit)
            case Markup(markup) if DRAWING.search(markup):
                name = _title(markup) or heading
                where: dict[str, str | int] = {"markup": _text(markup)[:FOUND_BY]}
                yield Offer(PICTURES, name, _name(source, name), {}, where, credit)


def _tables(source: Source) -> Iterator[Offer]:
    """The tables: those that are made anew with every digit, those on the page as they are shown."""
    found = [(piece, table) for piece in source.pieces for table in _tables_of(piece)]
    folded = {table.title for piece, table in found if isinstance(piece, Tables) and piece.label}
    for piece, table in found:
        if isinstance(piece, Tables) and not piece.label and table.title in folded:
            continue  # the fold has the same numbers
        name, rounded = table.title or "table", not isinstance(piece, Tables)
        yield Offer(TABLES, name, _name(source, name), {"csv": partial(csv_text, table, rounded=rounded)})
    for data, ask in (piece for piece in source.pieces if isinstance(piece, Map)):
        for name, made in map_tables(data, ask):
            yield Offer(TABLES, name, _name(source, name), {"csv": made})


def _tables_of(piece: Drawn) -> list[Table]:
    match piece:
        case Follows(markup) | Markup(markup):
            return tables_in(markup)
        case Tables(_, makers):
            with in_full():
                return tables_in("".join(make() for make in makers))
    return []


def _numbers(source: Source) -> Iterator[Offer]:
    for name, record in _distinct(source.records).items():
        several = len(_distinct(source.records)) > 1
        own = "the page's own" if name == PAGE else name.replace("_", " ")
        said = own if several else "every array and every name"
        file = _name(source, name if several and name != PAGE else "numbers")
        forms: dict[str, Callable[[], str | bytes]] = {
            "npz": partial(record_npz, record),
            "json": partial(record_json, record),
        }
        yield Offer(NUMBERS, said, file, forms)


def _distinct(records: Mapping[str, Any]) -> dict[str, Any]:
    """The records, each once."""
    seen: dict[int, str] = {}
    for name, record in records.items():
        seen.setdefault(id(record), name)
    return {name: records[name] for name in seen.values()}


def _whole(source: Source) -> Offer:
    html = partial(
        page_file, source.pieces, title=source.title, promise=source.promise, product=source.product,
        link=source.link, styles=source.styles, theme=source.theme,
    )  # fmt: skip
    return Offer(WHOLE, "pictures, words and tables, opens without a network", _stem(source), {"html": html})


def _title(markup: str) -> str:
    """What a piece of markup is called: the title of its only table or figure; nothing if it has several."""
    titles = re.findall(r"<(?:fig)?caption>(.*?)(?:<small>|</(?:fig)?caption>)", markup, re.DOTALL)
    title = unescape(re.sub(r"<[^>]*>", "", titles[0])).strip() if len(titles) == 1 else ""
    return title if len(title) <= LONGEST_NAME else ""


def _text(markup: str) -> str:
    """The letters of a piece of markup, without blanks."""
    return "".join(unescape(re.sub(r"<[^>]*>", "", markup)).split())


def _stem(source: Source) -> str:
    return f"attention-{source.stem.replace('_', '-')}"


def _name(source: Source, name: str) -> str:
    """The name of a file without its ending: small letters, digits and hyphens."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower().replace("ᵀ", "t")).strip("-")
    return f"{_stem(source)}-{words[:LONGEST_NAME].rstrip('-') or 'picture'}"
