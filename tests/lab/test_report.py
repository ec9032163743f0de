"""What is reported of a comparison: statistics, rows, the file of them, the table, the page."""

from __future__ import annotations

import csv
import json
import re
import statistics
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from math import isclose, sqrt
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import RUN

import puzzlekit
from puzzlekit.errors import UsageError
from puzzlekit.search.limits import Limits
from puzzlekit_lab.case import Case
from puzzlekit_lab.commands.compare import show
from puzzlekit_lab.latex import write_latex
from puzzlekit_lab.measurement import measure
from puzzlekit_lab.origins import provenance
from puzzlekit_lab.page import findings, write_page, wrong_claims
from puzzlekit_lab.plots import estimates, write_plots
from puzzlekit_lab.record import (
    WHOLE,
    BrokenEdge,
    Iteration,
    Quality,
    Record,
    Run,
    Tables,
    Witness,
)
from puzzlekit_lab.statistics import (
    Interval,
    branching_factor,
    geometric_mean,
    geometric_ratio,
    growth,
    mean,
)
from puzzlekit_lab.summary import Row, Summary, summarise, write_csv

HEURISTICS = ("max", "sum", "max-sd", "euclid", "blended")
QUALITY = Quality(
    puzzle="toy",
    method="plain",
    profile="",
    metric="HTM",
    phase="solve",
    heuristic="sum",
    admissible=False,
    fingerprint="0",
    how="exhaustive",
    sample="",
    states=10,
    pairs=((0, 0, 1), (1, 1, 4), (2, 5, 5)),
    over=5,
    worst=Witness("01", 5, 2),
    edges=20,
    broken=3,
    worst_edge=BrokenEdge("01", "A", 5, 1, 1),
    goals=1,
    goals_above=0,
    zeros={"a": True, "b": None},
    differ=4,
    vectors=8,
    vectors_differ=2,
    seconds=0.1,
    machine={"cores": 1},
    versions={"puzzlekit": "0"},
)
TABLES = Tables(
    "toy", "plain", "", "HTM", "solve", "all is well", True, (("a", 9, 1.0),), 99, 2.0, 0
)


def run(heuristic: str = "max", instance: int = 0, **fields: Any) -> Run:
    """A run of the toy; unsolved ones have no answer."""
    if fields.get("outcome", "solved") != "solved":
        fields |= {"length": None, "cost": None}
    claims = fields.pop("admissible", heuristic == "max")
    return attrs.evolve(RUN, heuristic=heuristic, instance=instance, admissible=claims, **fields)


@pytest.fixture(scope="module")
def measured() -> list[Record]:
    """Runs of five heuristics, some of which met a limit."""
    case = Case(puzzlekit.load("cube2"))
    limits = Limits(max_nodes=1500)
    return [
        found
        for instance in range(24)
        for heuristic in HEURISTICS
        if (found := measure(case, heuristic, "solve", 1, instance, limits)) is not None
    ]


# Statistics


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=30), st.randoms())
def test_intervals(values: list[int], random: Random) -> None:
    found = geometric_mean(values, 1)
    assert isclose(found.value, statistics.geometric_mean([max(value, 1) for value in values]))
    shuffled = values[:]
    random.shuffle(shuffled)
    assert geometric_mean(shuffled, 1) == found
    same = len(values) > 1 and len({max(value, 1) for value in values}) == 1
    if len(values) < 5 and not same:
        assert found.low is None and found.high is None
    else:
        assert found.low is not None and found.high is not None
        assert found.low <= found.value * (1 + 1e-9) and found.value <= found.high * (1 + 1e-9)


def test_the_interval_is_that_of_theory() -> None:
    """For many values a bootstrap comes to the mean and 1.96 standard errors on either side."""
    random = Random(1)
    values = [random.gauss(10, 2) for _ in range(400)]
    found = mean(values)
    error = 1.96 * statistics.stdev(values) / sqrt(len(values))
    assert found.low == pytest.approx(found.value - error, abs=0.1 * error)
    assert found.high == pytest.approx(found.value + error, abs=0.1 * error)
    with pytest.raises(ValueError, match="at least one value"):
        mean([])


def test_ratios_are_paired() -> None:
    assert geometric_ratio([10, 1000], [5, 500]) == Interval(2.0, 2.0, 2.0)
    assert geometric_ratio([0, 0], [0, 0]) == Interval(1.0, 1.0, 1.0)


@given(st.floats(1, 40), st.integers(1, 12))
def test_branching_factor(factor: float, depth: int) -> None:
    nodes = round(sum(factor**level for level in range(1, depth + 1)))
    found = branching_factor(nodes, depth)
    assert found is not None
    assert isclose(sum(found**level for level in range(1, depth + 1)), nodes, rel_tol=1e-5)


def test_growth() -> None:
    assert growth([0, 16]) == 16
    assert growth([2, 8, 32]) == 4
    assert growth([]) is None


# Rows


def test_a_row_by_hand() -> None:
    records = [
        run("max", 0),
        run("max", 1, generated=30, cost=2, length=2, cpu_seconds=0.0),
        run("max", 2, outcome="timeout"),
        run(
            "sum", 0, generated=28, cost=6, h=5, iterations=(Iteration(5, 28, 9),), cpu_seconds=0.25
        ),
        run("sum", 1, generated=120, cost=2, length=2, iterations=(), cpu_seconds=0.0),
        run("sum", 2, generated=5),
        QUALITY,
        TABLES,
    ]
    summary = summarise(records)
    most, total = summary.rows
    assert (most.heuristic, most.instances, most.solved, most.common) == ("max", 3, 2, 2)
    assert (total.heuristic, total.instances, total.solved, total.common) == ("sum", 3, 3, 2)
    assert total.baseline == "max"
    assert [row.proven for row in summary.rows] == [2, 2]
    assert value(total.node_ratio) == pytest.approx(sqrt(2 * 4))
    assert value(total.time_ratio) == pytest.approx(sqrt(0.5))
    assert value(total.cost_ratio) == pytest.approx(sqrt(2))
    assert value(total.suboptimality) == 1.5
    assert (total.suboptimality_95, total.suboptimality_max) == (pytest.approx(1.95), 2)
    assert (value(total.extra), total.optimal) == (1.5, 0.5)
    assert value(most.before_last) == 4 and value(total.before_last) == 1
    assert most.nodes_per_second == 44 / 0.5
    assert value(most.branching) == pytest.approx(sqrt(2 * 5))
    assert (most.growth, most.over, most.consistent) == (None, None, None)
    assert (total.over, total.over_most, total.consistent, total.differs) == (0.5, 3, False, 0.4)
    assert total.by_nodes == (0, 0, 2, 0.5, 0.5) and total.by_time == (1, 1, 0, 1, 1)
    assert total.by_cost == (0, 1, 1, 1, 1) and most.by_nodes is None
    assert (total.generated_mean, total.generated_total) == ((74, None, None), 148)
    assert (total.cpu_seconds_total, most.cpu_seconds_total) == (0.25, 0.5)
    assert repr(summary) == "<Summary of toy plain, HTM: 2 rows of 6 runs>"
    assert dict(summary.counts) == {"solved": 5, "timeout": 1}


def value(interval: Interval | None) -> float:
    assert interval is not None
    return interval.value


def test_another_baseline() -> None:
    records = [run("max", generated=10), run("sum", generated=40), run("euclid", generated=20)]
    first, most, total = summarise(records, "euclid").rows
    assert (first.heuristic, most.heuristic, total.heuristic) == ("euclid", "max", "sum")
    assert {row.baseline for row in (first, most, total)} == {"euclid"}
    assert value(most.node_ratio) == 0.5 and value(total.node_ratio) == 2
    assert {row.baseline for row in summarise(records, "blended").rows} == {"max"}


def test_the_correction_covers_all_comparisons_of_a_quantity() -> None:
    nodes = {"max": 10, "sum": 20, "euclid": 30}
    records = [
        run(name, i, phase=phase, generated=nodes[name] + i)
        for name in nodes
        for i in range(8)
        for phase in ("solve", "next")
    ]
    tests = [row.by_nodes for row in summarise(records).rows if row.by_nodes]
    assert [test.p for test in tests] == [2 / 2**8] * 4
    assert [test.p_holm for test in tests] == [4 * 2 / 2**8] * 4


def test_the_order_of_the_records_does_not_matter(measured: list[Record]) -> None:
    records = [*measured, QUALITY, TABLES]
    found = summarise(records)
    for seed in range(3):
        shuffled = records[:]
        Random(seed).shuffle(shuffled)
        assert summarise(shuffled) == found


def test_of_the_same_run_the_last_one_counts() -> None:
    (row,) = summarise([run(generated=5), run(generated=500)]).rows
    assert value(row.generated) == 500 and row.instances == 1


def test_of_a_changed_formula_the_last_one_counts() -> None:
    old = [run("sum", number, fingerprint="old") for number in range(3)]
    (row,) = summarise([*old, run("sum", 1, generated=500, fingerprint="new")]).rows
    assert value(row.generated) == 500 and row.instances == 1


def test_what_is_known_of_an_old_formula_does_not_count() -> None:
    for fingerprint, over in (("0", 0.5), ("new", None)):
        (row,) = summarise([QUALITY, run("sum", fingerprint=fingerprint)]).rows
        assert row.over == over


def test_other_starts_are_not_paired() -> None:
    rows = summarise([run("max", state="00", cost=9), run("sum", state="01")]).rows
    assert [row.common for row in rows] == [0, 0]
    assert [row.proven for row in rows] == [0, 0]


def test_other_limits_are_not_paired() -> None:
    rows = summarise([run("max"), run("sum", timeout=9.0)]).rows
    assert [row.common for row in rows] == [0, 0]
    assert rows[1].node_ratio is None and rows[1].suboptimality is None


def test_phases_come_in_their_order_and_all_together_last() -> None:
    phases = ("solve", WHOLE, "begin", "end")
    numbers = {"begin": 0, "solve": 1, "end": 2}
    records: list[Record] = [run(phase=phase, iterations=()) for phase in phases]
    records += [attrs.evolve(TABLES, phase=name, number=n) for name, n in numbers.items()]
    summary = summarise(records)
    assert summary.phases(summary.cases[0]) == ("begin", "solve", "end", WHOLE)
    whole = summary.rows[-1]
    assert whole.proven == 0 and whole.suboptimality is None and whole.branching is None


def test_who_overestimates_proves_nothing_and_is_reported() -> None:
    claim = {"admissible": True}
    runs = [run("sum", **claim), run("euclid", cost=5)]
    assert [row.proven for row in summarise(runs).rows] == [1, 1]
    summary = summarise([*runs, attrs.evolve(QUALITY, **claim)])
    assert [row.proven for row in summary.rows] == [0, 0]
    assert [row.refuted for row in summary.rows] == [False, True]
    assert "sum claims to be admissible" in wrong_claims(summary)[0]


@pytest.mark.parametrize("shown", [{"cost": 4}, {"outcome": "timeout", "h": 4}])
def test_whose_runs_refute_it_proves_nothing(shown: dict[str, Any]) -> None:
    claim = {"admissible": True}
    runs = [run("sum", **claim), run("sum", 1, **claim, **shown), run("euclid"), run("euclid", 1)]
    assert [row.proven for row in summarise(runs).rows] == [0, 0]
    summary = summarise([*runs, run("max"), run("max", 1)])
    assert [row.proven for row in summary.rows] == [row.common for row in summary.rows]


# summary.csv, recomputed from the lines of JSON without the code that writes it


def numbers_of(lines: list[str]) -> Iterator[dict[str, Any]]:
    """Row by row the numbers that are means of something, in plain Python."""
    runs = [found for found in map(json.loads, lines) if found["kind"] == "run"]
    solved = {
        name: {found["instance"] for found in runs if found["heuristic"] == name and found["cost"]}
        for name in HEURISTICS
    }
    common = set.intersection(*solved.values())
    by_name = {
        name: {
            found["instance"]: found
            for found in runs
            if found["heuristic"] == name and found["instance"] in common
        }
        for name in HEURISTICS
    }
    for name, own in by_name.items():
        best = by_name["max"]
        costs = {each: own[each]["cost"] / best[each]["cost"] for each in common}
        yield {
            "heuristic": name,
            "instances": sum(found["heuristic"] == name for found in runs),
            "solved": len(solved[name]),
            "common": len(common),
            "h": statistics.mean(found["h"] for found in own.values()),
            "cost": statistics.mean(found["cost"] for found in own.values()),
            "length": statistics.mean(len(found["moves"].split()) for found in own.values()),
            "generated": middle(found["generated"] for found in own.values()),
            "expanded": middle(found["expanded"] for found in own.values()),
            "before_last": middle(
                max(sum(generated for _, generated, _ in found["iterations"][:-1]), 1)
                for found in own.values()
            ),
            "cpu_seconds": middle(max(found["cpu_seconds"], 1e-6) for found in own.values()),
            "nodes_per_second": sum(found["generated"] for found in own.values())
            / sum(found["cpu_seconds"] for found in own.values()),
            "node_ratio": middle(
                own[each]["generated"] / best[each]["generated"] for each in common
            ),
            "time_ratio": middle(
                max(own[each]["cpu_seconds"], 1e-6) / max(best[each]["cpu_seconds"], 1e-6)
                for each in common
            ),
            "cost_ratio": middle(costs.values()),
            "suboptimality": statistics.mean(costs.values()),
            "suboptimality_95": statistics.quantiles(costs.values(), n=20, method="inclusive")[-1],
            "suboptimality_max": max(costs.values()),
            "extra": statistics.mean(own[each]["cost"] - best[each]["cost"] for each in common),
            "optimal": statistics.mean(ratio == 1 for ratio in costs.values()),
        }


def middle(values: Any) -> float:
    return statistics.geometric_mean(list(values))


def test_the_file_can_be_recomputed_from_the_lines(measured: list[Record], tmp_path: Path) -> None:
    lines = [record.line() for record in measured]
    path = tmp_path / "summary.csv"
    write_csv(summarise(measured), path)
    with path.open(encoding="utf-8", newline="") as file:
        written = {row["heuristic"]: row for row in csv.DictReader(file)}
    assert set(written) == set(HEURISTICS)
    for row in numbers_of(lines):
        found = written[row.pop("heuristic")]
        for name, number in row.items():
            assert float(found[name]) == pytest.approx(number, rel=1e-5, abs=1e-6), name
            if f"{name}_low" in found:
                low, high = float(found[f"{name}_low"]), float(found[f"{name}_high"])
                assert low <= float(found[name]) <= high
    assert min(float(row["solved"]) for row in written.values()) < 24, "no run met its limit"
    assert any(float(row["suboptimality"]) > 1 for row in written.values())


def test_columns_are_the_fields_of_a_row(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    write_csv(summarise([run(), run("sum", outcome="timeout"), QUALITY]), path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [field.name for field in attrs.fields(Row)]
    more = ("_low", "_high", "_ties", "_losses", "_p", "_p_holm")
    columns = [name.removesuffix("_wins") for name in rows[0] if not name.endswith(more)]
    assert columns == names
    assert (rows[0]["by_nodes_wins"], rows[1]["by_cost_p_holm"]) == ("", "")
    assert (rows[1]["admissible"], rows[1]["generated"], rows[1]["consistent"]) == ("no", "", "no")


def test_estimates_against_true_distances() -> None:
    """They come from the quality of a heuristic, else from starts with a proven optimum."""
    runs = [run("max"), run("sum", h=5), run("max", 1, cost=4), run("sum", 2)]
    runs.append(run("sum", 1, h=5, cost=4))
    summary = summarise(runs)
    (case,) = summary.cases
    assert estimates(summary, case, "solve", "max") == {(3, 2): 1, (4, 2): 1}
    assert estimates(summary, case, "solve", "sum") == {(3, 5): 1, (4, 5): 1}
    known = summarise([*runs, QUALITY])
    assert estimates(known, case, "solve", "sum") == {(0, 0): 1, (1, 1): 4, (2, 5): 5}


# In words


def test_findings() -> None:
    records: list[Record] = []
    for number in range(12):
        records.append(run("max", number, generated=100 + number))
        records.append(run("sum", number, generated=40 + number, cost=6, length=6))
        records.append(run("euclid", number, generated=100 + number))
        records.append(run("max-sd", number, generated=900 + number))
    records.append(run("sum", 12, outcome="timeout"))
    records += [run(name, 12) for name in ("max", "euclid", "max-sd")]
    summary = summarise(records)
    unsolved, quick, fewer, alike, more = findings(summary, summary.cases[0])
    assert unsolved == "Unsolved instances: in solve sum 1."
    assert quick == (
        "In solve, max is fastest (geometric mean 500 ms; euclid, max-sd and sum may be as fast). "
        "The answers of max, euclid and max-sd cost least (mean 3 HTM)."
    )
    assert re.match(r"In solve, sum generates 0\.43 \(0\.4\d to 0\.4\d\) times the nod", fewer)
    assert fewer.endswith("Its answers are 100% longer, and 0% of them are optimal.")
    assert alike == "euclid searches exactly like max in solve."
    assert more.startswith("In solve, max-sd generates 8.")
    times = {"max": (4, 6), "sum": (3, 5), "euclid": (2, 10), "max-sd": (2, 9)}
    for fastest in ("sum", "euclid", "max-sd"):
        timed = summarise(
            [
                run(name, i, cpu_seconds=times[name][i % 2] * (1 + i / 99))
                for name in ("max", fastest)
                for i in range(12)
            ]
        )
        found = findings(timed, timed.cases[0])[0]
        assert f"In solve, {fastest} is fastest" in found
        assert ("; max may be as fast)" in found) == (fastest != "sum")
    nodes = {"max": 1000, "sum": 999}
    slightly = summarise([run(name, i, generated=nodes[name]) for name in nodes for i in (0, 1)])
    assert "No heuristic generates clearly fewer nodes than max in solve." in findings(
        slightly, slightly.cases[0]
    )
    nothing = summarise([run("max"), run("sum", outcome="timeout")])
    assert "No instance was solved by all heuristics in solve." in findings(
        nothing, nothing.cases[0]
    )


@pytest.fixture
def summary(measured: list[Record]) -> Summary:
    one = measured[0]
    assert isinstance(one, Run)
    place = {name: getattr(one, name) for name in ("puzzle", "method", "profile", "metric")}
    quality = attrs.evolve(QUALITY, **place, worst=Witness("01", 5, 2))
    left_out = attrs.evolve(TABLES, **place, phase="gather", compared=False)
    return summarise([*measured, quality, attrs.evolve(TABLES, **place), left_out])


def test_the_table_for_latex(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "summary.tex"
    write_latex(summary, path)
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.count(" & ")]
    assert [line.split(" & ")[0] for line in lines] == ["heuristic", *summary.heuristics]
    (width,) = {line.count(" & ") for line in lines}
    assert f"{{l{'r' * width}}}" in text and all(line.endswith(r" \\") for line in lines)
    assert text.count("\\begin{") == text.count("\\end{") == 2
    assert not re.search(r"(?<!\\)[%_#]", text.partition("\n")[2]), "not escaped"


def test_the_table_in_the_terminal(
    summary: Summary, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    show(summary)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 100
    for row in summary.rows:
        (line,) = re.findall(rf"^ +{row.heuristic} .*$", shown, re.MULTILINE)
        assert f" {row.solved}/24 " in line
    assert "Left out: 1 phase (gather), because it has only one distance" in shown


def test_it_degrades_where_the_terminal_is_narrow(
    summary: Summary, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    show(summary)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    (row,) = (line for line in lines if line.startswith("   blended"))
    assert re.search(r" \d+% +[\d.]+$", row), row
    monkeypatch.setenv("COLUMNS", "60")
    show(summary)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 60 and "…" not in shown
    for row in summary.rows:
        assert re.search(rf"^ +{row.heuristic} +{row.solved}/24 +\d", shown, re.MULTILINE)


# The page


class Page(HTMLParser):
    """What a page refers to, which ids it has, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, text in attributes:
            if name in ("href", "src", "xlink:href", "action", "data", "srcset"):
                self.links.append(text or "")
            if name == "id":
                self.ids.append(text or "")
        if tag not in ("meta", "link", "br", "img", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def drawing() -> None:
    for name in ("matplotlib", "jinja2"):
        pytest.importorskip(name)


@pytest.mark.slow
@pytest.mark.usefixtures("drawing")
def test_the_page_stands_for_itself(summary: Summary, tmp_path: Path) -> None:
    path, again = tmp_path / "report.html", tmp_path / "again.html"
    write_page(summary, path, {"command": "puzzlekit compare"})
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    inner = [link for link in page.links if not link.startswith("data:image/png;base64,")]
    assert inner and all(link.startswith("#") for link in inner)
    assert {link[1:] for link in inner} <= set(page.ids)
    assert not re.findall(r"@import|<script|<link|url\((?!#)", text)
    assert text.count("<svg") == text.count("</svg>") == 5
    assert "NaN" not in text and "nan" not in page.text.split() and "None" not in page.text
    for sentence in findings(summary, summary.cases[0]):
        assert sentence in page.text
    for row in summary.rows:
        assert f"{row.solved} of {row.instances}" in page.text
    assert "The largest distance. It is admissible." in page.text
    assert "puzzlekit compare" in page.text
    write_page(summary, again, {"command": "puzzlekit compare"})
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("drawing")
def test_plots_in_files(tmp_path: Path) -> None:
    written = write_plots(summarise([run()]), tmp_path / "plots")
    assert sorted(written) == sorted((tmp_path / "plots").iterdir()) and len(written) == 6
    begins = {path.suffix: path.read_bytes()[:4] for path in written}
    assert begins == {".pdf": b"%PDF", ".png": b"\x89PNG"}
    assert b"/Type3" not in b"".join(path.read_bytes() for path in written)


def test_where_a_report_comes_from() -> None:
    found = provenance(["compare", "--puzzle", "cube 2"])
    assert found["command"] == "puzzlekit compare --puzzle 'cube 2'"
    assert found["versions"].startswith(f"puzzlekit {puzzlekit.__version__}, Python 3.")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", found["date"])
    assert re.fullmatch(r"[0-9a-f]{40}(, with changes)?|", found.get("commit", ""))


@pytest.mark.slow
@pytest.mark.usefixtures("drawing")
@pytest.mark.parametrize(
    "records",
    [
        [run()],
        [run(outcome="timeout"), run("sum", outcome="timeout")],
        [run(), run("sum", 1)],
        [run(), run("<b>&"), run(phase="next")],
        [run(cost=0, length=0, generated=0, expanded=0, cpu_seconds=0.0, h=0, iterations=())],
        [run(phase=WHOLE, iterations=()), run("sum", phase=WHOLE, iterations=())],
        [run(f"blended:a={number},b=0.125,c=1.5", number % 2) for number in range(9)],
        [run(f"linear-conflict@a-star:w={number}") for number in range(1, 22)],
    ],
    ids=["one", "unsolved", "unpaired", "odd names", "nothing to do", "whole", "many", "dozens"],
)
def test_little_or_odd_data_does_no_harm(records: list[Record], tmp_path: Path) -> None:
    summary = summarise(records)
    show(summary)
    write_page(summary, tmp_path / "report.html")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    for heuristic in summary.heuristics:
        assert heuristic in page.text
    assert ("a = 8.0, b = 0.125, c = 1.5" in page.text) == (len(records) == 9)


@pytest.mark.slow
@pytest.mark.usefixtures("drawing")
def test_many_points_become_pixels(tmp_path: Path) -> None:
    random = Random(1)
    records = [
        run(name, number, generated=random.randrange(1, 10**6), iterations=())
        for name in ("max", "sum")
        for number in range(2500)
    ]
    write_page(summarise(records), tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 10**6


def test_pages_that_cannot_be(summary: Summary, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to report"):
        write_page(summarise([]), tmp_path / "report.html")
    with pytest.raises(UsageError, match="no does not exist"):
        write_page(summary, tmp_path / "no" / "report.html")


@pytest.mark.slow
@pytest.mark.parametrize(("missing", "name"), [("matplotlib", "matplotlib"), ("jinja2", "Jinja")])
def test_without_what_draws(
    summary: Summary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, name: str
) -> None:
    if missing == "jinja2":
        pytest.importorskip("matplotlib")
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setitem(sys.modules, f"{missing}.figure", None)
    with pytest.raises(UsageError, match=rf"{name}.*pip install 'permutation-puzzlekit\[plot\]'"):
        write_page(summary, tmp_path / "report.html")
    assert not list(tmp_path.iterdir())
