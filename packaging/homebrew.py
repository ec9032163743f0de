"""Prints a Homebrew formula for a source distribution: python3 packaging/homebrew.py dist/*.tar.gz.

The distribution is fetched from the release on GitHub that has it. The formula is for a tap: pip
fetches what puzzlekit requires while it is installed, which homebrew-core does not allow.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from pathlib import Path

_FORMULA = """\
class Puzzlekit < Formula
  include Language::Python::Virtualenv

  desc "{description}"
  homepage "{homepage}"
  url "{source}/releases/download/v{version}/{file}"
  sha256 "{digest}"
  license "MIT"

  depends_on "python@3.13"

  def install
    virtualenv_create(libexec, "python3.13", without_pip: false)
    ENV["PUZZLEKIT_REQUIRE_EXTENSIONS"] = "1"
    system libexec/"bin/python", "-m", "pip", "install", "--prefer-binary", buildpath
    bin.install_symlink libexec/"bin/puzzlekit"
    bash_completion.install "packaging/completions/puzzlekit"
    zsh_completion.install "packaging/completions/_puzzlekit"
    fish_completion.install "packaging/completions/puzzlekit.fish"
  end

  test do
    assert_match "compiled", shell_output("#{{bin}}/puzzlekit doctor")
    assert_match "optimal", shell_output("#{{bin}}/puzzlekit solve --puzzle cube2 'R U F2'")
  end
end
"""


def formula(sdist: Path) -> str:
    """The formula for a source distribution; a SystemExit if the file is none of ours."""
    named = re.fullmatch(r"permutation_puzzlekit-([\w.]+)\.tar\.gz", sdist.name)
    if named is None:
        raise SystemExit(f"{sdist} is no source distribution of permutation-puzzlekit")
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    return _FORMULA.format(
        description=project["description"],
        homepage=project["urls"]["Homepage"],
        source=project["urls"]["Source"],
        version=named[1],
        file=sdist.name,
        digest=hashlib.sha256(sdist.read_bytes()).hexdigest(),
    )


if __name__ == "__main__":
    sys.stdout.write(formula(Path(sys.argv[1])))
