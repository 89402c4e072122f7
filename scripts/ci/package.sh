#!/usr/bin/env bash
# What would be published installs alone, without the tools of development, and starts.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work"
tar -tzf "$work"/*.tgz | sort >"$work/files"
cat "$work/files"
for wanted in dist/src/cli/main.js gateway.config.yaml config.schema.json README.md LICENSE; do
  grep -qx "package/$wanted" "$work/files" || { echo "the package lacks $wanted"; exit 1; }
done
if grep -E '^package/(test|src|bench|scripts|node_modules)/' "$work/files"; then
  echo 'the package holds files that only development needs'
  exit 1
fi
npm install --silent --prefix "$work/clean" "$work"/*.tgz
"$work/clean/node_modules/.bin/tollgate" --version
