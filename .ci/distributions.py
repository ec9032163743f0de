"""Check that nothing is missing in the distributions, and nothing else is in them.

`python .ci/distributions.py DIRECTORY`, in a checkout; the directory has one source distribution
and one wheel.
"""

import runpy
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

dist = Path(sys.argv[1])
listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
listed = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
ours = {name for name in listed if name and Path(name).exists()}

(sdist,) = dist.glob("*.tar.gz")
with tarfile.open(sdist) as archive:
    packed = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
generated = {"PKG-INFO", "setup.cfg"}
extra = {name for name in packed - ours - generated if ".egg-info/" not in name}
missing = ours - packed - {".gitignore"}
assert not extra and not missing, f"source distribution: extra {extra}, missing {missing}"

(wheel,) = dist.glob("*.whl")
assert wheel.stat().st_size < 3_000_000, f"the wheel has {wheel.stat().st_size:,} bytes"
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
info = {name.rpartition("/")[2] for name in names if ".dist-info/" in name}
shared = {name.partition(".data/data/share/")[2] for name in names if ".data/" in name}
packed = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
packages = {
    name if name.startswith("puzzlekit/") else name.split("/", 2)[2]
    for name in ours
    if name.startswith(("puzzlekit/", "plugins/"))
}
compiled = {name for name in packed if name.endswith((".so", ".pyd"))}
assert packed - compiled == packages, f"wheel: {(packed - compiled) ^ packages}"
engine = sorted(
    f"{listed.parent.relative_to(root)}/{name}"
    for root in (Path(), *Path("plugins").iterdir())
    for listed in root.glob("puzzlekit*/engine/compiled.py")
    for name in runpy.run_path(str(listed))["MODULES"]
)
assert sorted(name.partition(".")[0] for name in compiled) == engine, f"compiled: {compiled}"
assert {"LICENSE", "entry_points.txt", "METADATA"} <= info, info
assert shared == {
    "bash-completion/completions/puzzlekit",
    "zsh/site-functions/_puzzlekit",
    "fish/vendor_completions.d/puzzlekit.fish",
}, shared
print(f"{wheel.name}: {len(packages)} files and {len(compiled)} compiled modules, as expected")
