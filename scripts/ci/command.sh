#!/usr/bin/env bash
# The command of a clone works as the README says: its own package's command, found by npx.
set -euo pipefail
expected=$(node -p 'require("./package.json").version')
actual=$(npx --no-install tollgate --version)
[[ $actual == "$expected" ]] || { echo "npx tollgate --version printed '$actual', not '$expected'"; exit 1; }
npx --no-install tollgate --help
