"""What releases are made with, as far as that can be tested without making one.

The tests of files for other programs need the extra `release`: `pip install '.[release]'`.
"""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import get_completion_class
from documents import ROOT

import puzzlekit
from puzzlekit.cli import main

PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TEMPLATE = PACKAGING / "template" / ".github" / "workflows"
COMPLETIONS = {"bash": "puzzlekit", "zsh": "_puzzlekit", "fish": "puzzlekit.fish"}

pytestmark = pytest.mark.skipif(not PACKAGING.exists(), reason="this is not a checkout")


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_completions_are_those_of_click(shell: str) -> None:
    """To write one again: `_PUZZLEKIT_COMPLETE=zsh_source puzzlekit`, into the file."""
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(main, {}, "puzzlekit", "_PUZZLEKIT_COMPLETE")
    text = made.source_template % made.source_vars()
    kept = (PACKAGING / "completions" / COMPLETIONS[shell]).read_text(encoding="utf-8")
    assert kept.strip() == text.strip(), f"click {click.__version__} makes another one"


def test_completions_are_installed_where_shells_look() -> None:
    installed = PROJECT["tool"]["setuptools"]["data-files"]
    assert installed == {
        "share/bash-completion/completions": ["packaging/completions/puzzlekit"],
        "share/zsh/site-functions": ["packaging/completions/_puzzlekit"],
        "share/fish/vendor_completions.d": ["packaging/completions/puzzlekit.fish"],
    }
    assert all((ROOT / path).is_file() for paths in installed.values() for path in paths)


@pytest.mark.slow
def test_bash_completes() -> None:
    bash = shutil.which("bash")
    program = Path(sys.executable).with_name("puzzlekit")
    if bash is None or not program.exists():
        pytest.skip("there is no bash, or no program")
    script = (
        f"source {shlex.quote(str(PACKAGING / 'completions' / 'puzzlekit'))}\n"
        "COMP_WORDS=(puzzlekit event-scramble 333b); COMP_CWORD=2\n"
        f'_puzzlekit_completion {shlex.quote(str(program))}; echo "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["333bf"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with our setup.py and one small module, and a compiler that fails."""
    engine = tmp_path / "puzzlekit" / "engine"
    engine.mkdir(parents=True)
    (engine / "tiny.py").write_text("# cython: language_level=3\nVALUE = 1\n")
    (engine / "compiled.py").write_text('MODULES = ("tiny",)\n')
    shutil.copy(ROOT / "setup.py", tmp_path)
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    return tmp_path


def build(project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("PUZZLEKIT_")
    }
    return subprocess.run(
        command, cwd=project, env=inherited | environment, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a compiler is given in another way there")
def test_a_release_fails_where_a_module_does_not_compile(project: Path) -> None:
    compiler = str(project / "compiler")
    done = build(project, CC=compiler)
    assert done.returncode == 0, done.stderr
    assert "puzzlekit will run as plain Python" in done.stdout + done.stderr
    done = build(project, CC=compiler, PUZZLEKIT_REQUIRE_EXTENSIONS="0")
    assert done.returncode == 0
    done = build(project, CC=compiler, PUZZLEKIT_REQUIRE_EXTENSIONS="1")
    assert done.returncode != 0
    assert "puzzlekit.engine.tiny cannot be compiled" in done.stdout + done.stderr
    assert not [*project.rglob("*.so")]
    done = build(project, PUZZLEKIT_REQUIRE_EXTENSIONS="yes")
    assert done.returncode != 0 and "it can be '0' or '1'" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a compiler is given in another way there")
def test_a_build_in_a_new_environment_translates_only_what_has_changed(project: Path) -> None:
    compiler = str(project / "compiler")
    source, made = (
        project / start / "puzzlekit" / "engine" / f"tiny.{ending}"
        for start, ending in (("", "py"), ("build/cython", "c"))
    )
    source.write_text("# cython: language_level=3\nfrom cython.cimports.libc.stdlib import abs\n")
    build(project, CC=compiler)
    for file in project.rglob("*.*"):
        os.utime(file, (0, 0))
    os.utime(made, (1, 1))  # so all files of Cython are newer
    build(project, CC=compiler)
    assert made.stat().st_mtime == 1
    for changed in project / "setup.py", source:
        os.utime(changed)
        build(project, CC=compiler)
        assert made.stat().st_mtime > 1
        os.utime(changed, (0, 0))
        os.utime(made, (1, 1))
    made.write_text(made.read_text().replace("Generated by Cython", "Generated by Cython 0.1 not"))
    build(project, CC=compiler)
    assert "Cython 0.1" not in made.read_text()


def test_release_builds_require_the_extensions() -> None:
    assert PROJECT["tool"]["cibuildwheel"]["environment"]["PUZZLEKIT_REQUIRE_EXTENSIONS"] == "1"
    recipe = (PACKAGING / "recipe.yaml").read_text(encoding="utf-8")
    assert 'PUZZLEKIT_REQUIRE_EXTENSIONS: "1"' in recipe


def test_release_notes_are_a_section_of_the_changelog() -> None:
    section = runpy.run_path(str(PACKAGING / "release_notes.py"))["section"]
    text = (
        "# Changelog\n\n## 0.3.0 (unreleased)\n\n- b\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- a\n"
    )
    assert section(text, "0.2.0") == "### Added\n\n- a\n"
    for version, said in (("0.3.0", "is unreleased"), ("0.2", "no section")):
        with pytest.raises(SystemExit, match=said):
            section(text, version)
    ours = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = f"## {puzzlekit.__version__} (unreleased)"
    assert section(ours.replace(heading, heading[:-12] + "(2026-12-01)"), puzzlekit.__version__)


def recipe() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((PACKAGING / "recipe.yaml").read_text(encoding="utf-8"))
    return found


def without_blanks(lines: list[str]) -> list[str]:
    return sorted(line.replace(" ", "") for line in lines)


def test_the_recipe_has_our_version_and_requirements() -> None:
    found = recipe()
    assert found["context"]["version"] == puzzlekit.__version__
    required = found["requirements"]
    ours = PROJECT["project"]
    python = f"python{ours['requires-python']}"
    assert without_blanks(required["run"]) == without_blanks([*ours["dependencies"], python])
    building = ["python", "pip", *PROJECT["build-system"]["requires"]]
    assert without_blanks(required["host"]) == without_blanks(building)
    assert found["about"]["summary"] == ours["description"]


def test_rattler_build_reads_the_recipe() -> None:
    stage0 = pytest.importorskip("rattler_build.stage0")
    variants = pytest.importorskip("rattler_build.variant_config")
    made = stage0.Stage0Recipe.from_file(str(PACKAGING / "recipe.yaml"))
    config = variants.VariantConfig({"c_stdlib": ["sysroot"], "python": ["3.13.*"]})
    (rendered,) = made.render(config)
    assert rendered.recipe.package.version == puzzlekit.__version__


WHEELS = {
    "linux": ("x86_64,aarch64", ["manylinux_x86_64", "manylinux_aarch64"]),
    "macos": ("x86_64,arm64", ["macosx_x86_64", "macosx_arm64"]),
    "windows": ("AMD64,ARM64", ["win_amd64", "win_arm64"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("platform", [*WHEELS, "pyodide"])
def test_cibuildwheel_makes_the_wanted_wheels(platform: str) -> None:
    pytest.importorskip("cibuildwheel")
    command = [sys.executable, "-m", "cibuildwheel", "--platform", platform]
    command += ["--print-build-identifiers", str(ROOT)]
    archs, tags = WHEELS.get(platform, ("", ["pyodide_wasm32"]))
    if archs:
        command[5:5] = ["--archs", archs]
    if platform == "linux":
        tags = [*tags, *(tag.replace("many", "musl") for tag in tags)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    pythons = ["cp313", "cp314"] if not archs else ["cp311", "cp312", "cp313", "cp314", "cp314t"]
    assert sorted(done.stdout.split()) == sorted(f"{one}-{tag}" for one in pythons for tag in tags)


SCHEMAS = {
    ".github/workflows/*.yml": "github-workflows",
    "packaging/template/.github/workflows/*.yml": "github-workflows",
    ".github/dependabot.yml": "dependabot",
    ".github/ISSUE_TEMPLATE/[!c]*.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    "CITATION.cff": "citation-file-format",
}


def tool(name: str, *arguments: str) -> None:
    """Run a program of the extra `release`, which has to find nothing wrong."""
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("pattern", SCHEMAS)
def test_files_for_other_programs_are_what_they_expect(pattern: str) -> None:
    paths = [str(path) for path in sorted(ROOT.glob(pattern))]
    assert paths
    tool("check-jsonschema", "--builtin-schema", f"vendor.{SCHEMAS[pattern]}", *paths)


def test_zizmor_finds_nothing_in_the_workflows() -> None:
    tool("zizmor", "--offline", "--no-progress", ".github", "packaging/template/.github")


def test_actions_are_pinned_by_hash() -> None:
    """The hash is what runs, since tags can be moved; the version beside it is for people."""
    pins: dict[str, set[str]] = {}
    for path in [*WORKFLOW.parent.glob("*.yml"), *TEMPLATE.glob("*.yml")]:
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"uses: ([\w/.-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)\n", text)
        assert len(found) == text.count("uses:")
        for action, pin in found:
            pins.setdefault(action, set()).add(pin)
    assert len(pins) > 5 and all(len(each) == 1 for each in pins.values()), pins


def test_every_python_of_the_wheels_is_tested_and_named() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(WORKFLOW.with_stem("check").read_text(encoding="utf-8"))
    systems = workflow["jobs"]["systems"]["strategy"]["matrix"]
    built = PROJECT["tool"]["cibuildwheel"]["build"].replace("-*", "").replace("cp3", "3.").split()
    assert systems["python"] == built
    assert {each.partition("-")[0] for each in systems["os"]} == {"ubuntu", "macos", "windows"}
    named = PROJECT["project"]["classifiers"]
    for version in built:
        assert f"Programming Language :: Python :: {version.rstrip('t')}" in named


def test_one_address_is_named_everywhere() -> None:
    urls = PROJECT["project"]["urls"]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == urls.keys()
    own = r"https://(?:github\.com/[\w-]*puzzlekit/[\w-]+|[\w-]*puzzlekit\.github\.io/[\w-]+)"
    allowed = {urls["Source"], urls["Homepage"].rstrip("/")}
    allowed.add(f"{urls['Source']}-template")
    files = [*ROOT.glob("*.cff"), *ROOT.glob("*.md"), *ROOT.glob(".github/**/*.yml")]
    files += [*ROOT.glob("docs/*.md"), *ROOT.glob("packaging/*.*"), ROOT / "pyproject.toml"]
    found = {match for path in files for match in re.findall(own, path.read_text("utf-8"))}
    assert found == allowed


def test_the_citation_is_for_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {puzzlekit.__version__}\n" in text
    assert f'repository-code: "{PROJECT["project"]["urls"]["Source"]}"' in text


def test_the_paper_cites_what_it_lists_and_its_figures_are_measured() -> None:
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    listed = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text("utf-8"), re.M)
    cited = {key for group in re.findall(r"\[(@[^]]+)\]", paper) for key in group.split("; ")}
    assert cited == {f"@{key}" for key in listed} and len(listed) == len(cited)
    pages = ("README.md", "docs/benchmarks.md", "docs/heuristics.md")
    measured = "".join((ROOT / page).read_text("utf-8") for page in pages)
    for row in re.findall(r"^\| .*\d.*\|$", paper, re.MULTILINE):
        for figure in re.findall(r"\d+\.\d+", row.replace("1.2.1", "")):
            assert figure in measured, (figure, row)
    for figure in ("1.62 (1.26-2.10)", "54.45", "53.99", "29 %"):
        assert figure in measured, figure


def test_commits_are_checked_as_lint_does() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert lint
    for program in re.findall(r"\$\(env\)/(\w+)", lint[1]):
        assert f"entry: {program}" in hooks


def test_the_formula_has_the_digest_of_the_distribution(tmp_path: Path) -> None:
    formula = runpy.run_path(str(PACKAGING / "homebrew.py"))["formula"]
    sdist = tmp_path / "permutation_puzzlekit-0.1.0.tar.gz"
    sdist.write_bytes(b"abc")
    made = formula(sdist)
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in made
    urls = PROJECT["project"]["urls"]
    assert f'homepage "{urls["Homepage"]}"' in made
    # Where the job `release` puts the files of dist/, under the tag of the version.
    assert f'url "{urls["Source"]}/releases/download/v0.1.0/{sdist.name}"' in made
    assert re.search("gh release create .* dist/[*]", WORKFLOW.read_text("utf-8"))
    with pytest.raises(SystemExit, match="no source distribution"):
        formula(tmp_path / "puzzlekit-0.1.0.tar.gz")


def test_only_the_job_that_publishes_may_act_for_the_project() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    jobs = workflow["jobs"]
    assert {name for name, job in jobs.items() if "permissions" in job} == {
        "publish",
        "release",
        "pages",
    }
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert set(jobs["publish"]["needs"]) == {"sdist", "wheels", "site"}
    assert "ref_type == 'tag'" in jobs["publish"]["if"]
    # The others come after it, and so publish nothing either where it is left out.
    assert jobs["release"]["needs"] == jobs["pages"]["needs"] == "publish"
    for job in jobs.values():
        for step in job["steps"]:
            scripts = re.findall(r"\$\{\{ (.*?) \}\}", step.get("run", ""))
            assert all(each.startswith("matrix.") for each in scripts)  # nothing that others write


def test_the_image_stays_small_enough_to_read() -> None:
    lines = (PACKAGING / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 10


def test_the_template_repository_checks_what_new_writes() -> None:
    """It has no package at first, so the steps that need one are skipped there."""
    written = (
        ROOT / "plugins/authoring/puzzlekit_authoring/templates/check.yml.template"
    ).read_text(encoding="utf-8")
    kept = (TEMPLATE / "check.yml").read_text(encoding="utf-8")
    assert kept.replace("        if: hashFiles('pyproject.toml') != ''\n", "") == written.replace(
        "$$", "$"
    )


@pytest.mark.slow
def test_the_template_repository_begins_a_package(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    workflow = yaml.safe_load((TEMPLATE / "begin.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["begin"]["steps"]
    (script,) = (each["run"] for each in steps if each.get("name") == "Write the package")
    shim = tmp_path / "bin" / "pipx"
    shim.parent.mkdir()
    shim.write_text(
        '#!/bin/sh\n[ "$1 $2" = "run permutation-puzzlekit" ] || exit 9\nshift 2\n'
        f'exec "{sys.executable}" -P -m puzzlekit "$@"\n'
    )
    shim.chmod(0o755)
    repository = tmp_path / "repository"
    shutil.copytree(TEMPLATE.parents[1], repository)
    environment = os.environ | {
        "GITHUB_REPOSITORY": "someone/puzzlekit-Two-Loops",
        "RUNNER_TEMP": str(tmp_path),
        "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = [bash, "-eo", "pipefail", "-c", script]
    subprocess.run(command, cwd=repository, env=environment, check=True, capture_output=True)
    assert (repository / "puzzlekit_two_loops" / "__init__.py").is_file()
    assert "U L' R B'" in (repository / "README.md").read_text(encoding="utf-8")
    workflows = sorted(path.name for path in (repository / ".github" / "workflows").iterdir())
    assert workflows == ["begin.yml", "check.yml"]


def test_listed_plugins_have_what_the_form_asks_for() -> None:
    yaml = pytest.importorskip("yaml")
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/plugin.yml").read_text(encoding="utf-8"))
    asked = {each["id"] for each in form["body"] if each["type"] == "input"}
    listed = tomllib.loads((ROOT / "docs" / "community.toml").read_text("utf-8"))["plugin"]
    for each in listed:
        assert each.keys() == asked
        assert each["address"].startswith("https://") and "|" not in each["about"]
    names = [each["distribution"] for each in listed]
    assert len(set(names)) == len(names)


def test_the_site_has_the_python_that_was_tested() -> None:
    """Pyodide of one version, whose digest is checked, everywhere."""
    workflow = WORKFLOW.read_text(encoding="utf-8")
    assert re.search(r"[0-9a-f]{64}  pyodide-[\d.]+\.tgz\" \| sha256sum --check", workflow)
    named = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "serve.md", PACKAGING / "site.sh", WORKFLOW]
    texts = [path.read_text(encoding="utf-8") for path in named]
    versions = {
        version for text in texts for version in re.findall(r"pyodide[@-](\d+[.\d]*\d)", text)
    }
    assert len(versions) == 1, versions
