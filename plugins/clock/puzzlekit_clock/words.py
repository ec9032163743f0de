"""What each turn of a Clock does, in words of six languages."""

from __future__ import annotations

from typing import NamedTuple

from puzzlekit import Move

__all__ = ["in_words"]


class _Words(NamedTuple):
    """The words of a language. Pins are named as seen from the side in front."""

    #: One pin: UR, DR, DL, UL.
    one: tuple[str, str, str, str]
    #: Two pins side by side: U, R, D, L.
    two: tuple[str, str, str, str]
    #: Opposite pins: ULDR, URDL.
    across: tuple[str, str]
    #: All pins but one: without UR, DR, DL, UL.
    three: tuple[str, str, str, str]
    #: All pins.
    every: str
    clockwise: str
    counter: str
    half: str
    over: str


_WORDS = {
    "en": _Words(
        ("upper right pin", "lower right pin", "lower left pin", "upper left pin"),
        ("both upper pins", "both right pins", "both lower pins", "both left pins"),
        ("upper left and lower right pins", "upper right and lower left pins"),
        (
            "all pins but the upper right",
            "all pins but the lower right",
            "all pins but the lower left",
            "all pins but the upper left",
        ),
        "all pins",
        "{pins} up, {hours} h clockwise",
        "{pins} up, {hours} h counter-clockwise",
        "{pins} up, half a turn",
        "turn the Clock over, left to right",
    ),
    "de": _Words(
        ("Stift rechts oben", "Stift rechts unten", "Stift links unten", "Stift links oben"),
        (
            "beide oberen Stifte",
            "beide rechten Stifte",
            "beide unteren Stifte",
            "beide linken Stifte",
        ),
        ("Stifte links oben und rechts unten", "Stifte rechts oben und links unten"),
        (
            "alle Stifte außer rechts oben",
            "alle Stifte außer rechts unten",
            "alle Stifte außer links unten",
            "alle Stifte außer links oben",
        ),
        "alle Stifte",
        "{pins} heraus, {hours} Std. im Uhrzeigersinn",
        "{pins} heraus, {hours} Std. gegen den Uhrzeigersinn",
        "{pins} heraus, halbe Drehung",
        "die Clock seitlich umdrehen",
    ),
    "fr": _Words(
        (
            "bouton en haut à droite",
            "bouton en bas à droite",
            "bouton en bas à gauche",
            "bouton en haut à gauche",
        ),
        (
            "les deux boutons du haut",
            "les deux boutons de droite",
            "les deux boutons du bas",
            "les deux boutons de gauche",
        ),
        (
            "boutons en haut à gauche et en bas à droite",
            "boutons en haut à droite et en bas à gauche",
        ),
        (
            "tous les boutons sauf en haut à droite",
            "tous les boutons sauf en bas à droite",
            "tous les boutons sauf en bas à gauche",
            "tous les boutons sauf en haut à gauche",
        ),
        "tous les boutons",
        "sortir : {pins} ; {hours} h dans le sens horaire",
        "sortir : {pins} ; {hours} h dans le sens antihoraire",
        "sortir : {pins} ; demi-tour",
        "retourner le Clock de gauche à droite",
    ),
    "es": _Words(
        (
            "clavija superior derecha",
            "clavija inferior derecha",
            "clavija inferior izquierda",
            "clavija superior izquierda",
        ),
        (
            "las dos clavijas superiores",
            "las dos clavijas derechas",
            "las dos clavijas inferiores",
            "las dos clavijas izquierdas",
        ),
        (
            "clavijas superior izquierda e inferior derecha",
            "clavijas superior derecha e inferior izquierda",
        ),
        (
            "todas las clavijas menos la superior derecha",
            "todas las clavijas menos la inferior derecha",
            "todas las clavijas menos la inferior izquierda",
            "todas las clavijas menos la superior izquierda",
        ),
        "todas las clavijas",
        "subir: {pins}; {hours} h en sentido horario",
        "subir: {pins}; {hours} h en sentido antihorario",
        "subir: {pins}; media vuelta",
        "dar la vuelta al Clock, de izquierda a derecha",
    ),
    "ja": _Words(
        ("右上のピン", "右下のピン", "左下のピン", "左上のピン"),
        ("上の2本のピン", "右の2本のピン", "下の2本のピン", "左の2本のピン"),
        ("左上と右下のピン", "右上と左下のピン"),
        ("右上以外のピン", "右下以外のピン", "左下以外のピン", "左上以外のピン"),
        "すべてのピン",
        "{pins}を上げて、時計回りに{hours}時間分",
        "{pins}を上げて、反時計回りに{hours}時間分",
        "{pins}を上げて、180度",
        "クロックを左右に裏返す",
    ),
    "zh": _Words(
        ("右上柱", "右下柱", "左下柱", "左上柱"),
        ("上方两柱", "右方两柱", "下方两柱", "左方两柱"),
        ("左上和右下两柱", "右上和左下两柱"),
        ("除右上外的三柱", "除右下外的三柱", "除左下外的三柱", "除左上外的三柱"),
        "全部四柱",
        "{pins}抬起，顺时针 {hours} 格",
        "{pins}抬起，逆时针 {hours} 格",
        "{pins}抬起，180 度",
        "将魔表左右翻面",
    ),
}

_NAMES = (
    ("UR", "DR", "DL", "UL"),
    ("U", "R", "D", "L"),
    ("ULDR", "URDL"),
    ("DRDLUL", "URDLUL", "URDRUL", "URDRDL"),
)


def in_words(move: Move, _: bytes, language: str) -> str:
    """Return which pins are raised, and how the wheels turn; "" in another language."""
    words = _WORDS.get(language)
    if words is None:
        return ""
    if move.family == "y2":
        return words.over
    name = move.family.removesuffix("+")
    pins = words.every
    for names, own in zip(_NAMES, words[:4], strict=True):
        if name in names:
            pins = own[names.index(name)]
    hours = (move.amount + 5) % 12 - 5
    form = words.half if hours == 6 else words.clockwise if hours > 0 else words.counter
    return form.format(pins=pins, hours=abs(hours))
