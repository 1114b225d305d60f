#!/usr/bin/env bash
# Makes the folder `libs` (sources and documentation of eight libraries: commander, pino, undici, p-queue from npm; click, attrs, httpx,
# tenacity from PyPI) in TARGET/libs. usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
node() { ls "$1"-[0-9]*.tgz >/dev/null 2>&1 || npm pack --silent "$1@$2" >/dev/null 2>&1 || npm pack --silent "$1" >/dev/null; mkdir -p "x-$1"; tar xzf "$1"-[0-9]*.tgz -C "x-$1" --strip-components=1; }
sdist() { ls "$1"-[0-9]*.tar.gz >/dev/null 2>&1 || pip download -q --no-deps --no-build-isolation --no-binary :all: "$1==$2" >/dev/null 2>&1 || pip download -q --no-deps --no-binary :all: "$1" >/dev/null 2>&1; mkdir -p "x-$1"; tar xzf "$1"-[0-9]*.tar.gz -C "x-$1" --strip-components=1; }
node commander 14.0.3; node pino 10.4.0; node undici 7.30.2; node p-queue 9.3.5
sdist click 8.5.1; sdist attrs 26.1.0; sdist httpx 0.28.1; sdist tenacity 9.2.1
cd "$target"; rm -rf libs; mkdir libs
for name in commander pino undici p-queue click attrs httpx tenacity; do cp -rL "download/x-$name" "libs/$name"; done
cd libs
find . -depth -type d \( -name test -o -name tests -o -name testing -o -name benchmarks -o -name bench -o -name .github -o -name _static -o -name '*.egg-info' -o -name 'releasenotes' \) -exec rm -rf {} +
find . -type f ! \( -name '*.md' -o -name '*.rst' -o -name '*.txt' -o -name '*.js' -o -name '*.mjs' -o -name '*.cjs' -o -name '*.ts' -o -name '*.py' -o -name '*.pyi' -o -name '*.toml' -o -name package.json -o -iname 'license*' \) -delete
find . -type f \( -name '*.min.js' -o -name '*-wasm.js' -o -name '*wasm*' -o -name '*.test.js' -o -name '*.test-d.ts' \) -delete
find . -type d -empty -delete
cd ..; echo "libs: $(find libs -type f | wc -l) files, $(du -sh libs | cut -f1)"
