#!/usr/bin/env bash
# Makes the whole site, the documentation and below it the page that solves in the browser:
# packaging/site.sh DIRECTORY PYODIDE [OPTIONS of `puzzlekit serve --export`]
#   npm pack pyodide@314.0.7
#   packaging/site.sh build/site pyodide-314.0.7.tgz
#   python3 -m http.server --directory build/site
# Needs puzzlekit with the extra `docs`, in the environment of the Python that PYTHON names.
set -euo pipefail
docs=$(cd "$(dirname "${BASH_SOURCE[0]}")/../docs" && pwd)
python=${PYTHON:-python3}
site=$1 pyodide=$2
shift 2

"$python" -P -m sphinx -q -W --keep-going -n "$docs" "$site"
"$python" -P -m puzzlekit serve --export "$site/solve" --pyodide "$pyodide" "$@"
touch "$site/.nojekyll" # GitHub would leave out _static
