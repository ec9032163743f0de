#!/usr/bin/env bash
# Makes the npm package, a directory for `npm publish`: packaging/npm.sh DIRECTORY PYODIDE [PUZZLE ...]
#   npm pack pyodide@314.0.7
#   packaging/npm.sh build/npm pyodide-314.0.7.tgz
# Needs puzzlekit, in the environment of the Python that PYTHON names.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3}
made=$1 pyodide=$2
shift 2
[[ $# -gt 0 ]] || set -- cube2 cube3 pyraminx skewb

mkdir -p "$made"
cp "$here"/packaging/npm/* "$here/LICENSE" "$made"
"$python" -P -m puzzlekit serve --export "$made/whole" --pyodide "$pyodide" "${@/#/--puzzle=}"
# Of the site, the package has the sources, and the tables of one method of each puzzle.
"$python" - "$made" <<'PYTHON'
import json, pathlib, shutil, sys

made = pathlib.Path(sys.argv[1])
whole, site = made / "whole", made / "site"
listed = json.loads((whole / "site.json").read_text())["tables"]
site.mkdir()
(site / "site.json").write_text(json.dumps({"tables": listed}))
shutil.copy(whole / "library.zip", site)
for path in {each["path"] for tables in listed.values() for each in tables}:
    place = site / "tables" / f"{path}.gz"
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(whole / "tables" / f"{path}.gz", place)
shutil.rmtree(whole)
PYTHON
