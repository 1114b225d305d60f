#!/usr/bin/env bash
# Makes the folder `web` (documentation in reStructuredText, Markdown, MDX and text of web frameworks and tools, changelogs, some source) from PyPI sdists and npm packages. usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
pip() { python3 -m pip -q --disable-pip-version-check "$@"; }
sdist() { [ -d "p-$1" ] || { mkdir -p "s-$1"; ls "s-$1"/*.tar.gz >/dev/null 2>&1 || pip download --no-deps --no-binary "$1" -d "s-$1" "$1==$2" 2>/dev/null || pip download --no-deps --no-binary "$1" -d "s-$1" "$1"
  mkdir "p-$1"; tar xzf "s-$1"/*.tar.gz -C "p-$1" --strip-components=1; }; }
node() { [ -d "n-$1" ] || { mkdir -p "t-$1"; ls "t-$1"/*.tgz >/dev/null 2>&1 || (cd "t-$1"; npm pack --silent "$1@$2" >/dev/null 2>&1 || npm pack --silent "$1" >/dev/null)
  mkdir "n-$1"; tar xzf "t-$1"/*.tgz -C "n-$1" --strip-components=1; }; }
sdist django 5.2.19; sdist sphinx 9.0.4; sdist werkzeug 3.1.9; sdist flask 3.1.3; sdist jinja2 3.1.6; sdist click 8.5.1; sdist starlette 1.10.0; sdist tornado 6.6.1; sdist gunicorn 27.0.1; sdist scrapy 2.19.0; sdist docutils 0.23
node fastify 5.12.8; node undici 7.30.2; node pino 10.4.0; node knex 3.3.0; node eslint-plugin-import 2.32.0; node ai 6.0.326; node express 5.3.0
cd "$target"; rm -rf web; mkdir web; d=download
copy() { mkdir -p "web/$2"; cp -rL "$d/$1" "web/$2/"; }
for m in ref topics howto faq intro misc; do copy p-django/docs/$m django/docs; done
mkdir -p web/django/docs/releases; cp -L $d/p-django/docs/releases/{4.2,5.0,5.1,5.2}*.txt web/django/docs/releases/; cp -L $d/p-django/docs/glossary.txt web/django/docs/; copy p-django/django/middleware django/django; copy p-django/django/core/cache django/django
for m in usage extdev man faq.rst latex.rst; do [ ! -e $d/p-sphinx/doc/$m ] || copy p-sphinx/doc/$m sphinx/doc; done; cp -L $d/p-sphinx/CHANGES.rst web/sphinx/
for p in werkzeug flask jinja2 click; do copy p-$p/docs $p; cp -L $d/p-$p/CHANGES.* web/$p/ 2>/dev/null || true; done; copy p-flask/src flask; copy p-werkzeug/src/werkzeug/middleware werkzeug/src
copy p-starlette/docs starlette; copy p-starlette/starlette starlette; copy p-tornado/docs tornado; copy p-gunicorn/docs/content gunicorn; copy p-scrapy/docs scrapy; for m in user dev howto; do copy p-docutils/docs/$m docutils; done; cp -L $d/p-docutils/*.* web/docutils/ 2>/dev/null || true
for p in fastify pino undici; do copy n-$p/docs $p; done; copy n-fastify/lib fastify; cp -L $d/n-knex/*.md web/ 2>/dev/null || true
mkdir -p web/knex web/eslint-plugin-import web/express; mv web/*.md web/knex/; cp -rL $d/n-eslint-plugin-import/{docs,CHANGELOG.md,README.md} web/eslint-plugin-import/; cp -rL $d/n-express/lib $d/n-express/*.md web/express/
copy n-ai/docs ai-sdk
find web -type d \( -name test -o -name tests -o -name _theme -o -name _static -o -name _templates -o -name locale -o -name __pycache__ -o -name '*.egg-info' -o -name node_modules -o -name dist \) -prune -exec rm -rf {} +
find web -type f ! \( -name '*.rst' -o -name '*.txt' -o -name '*.md' -o -name '*.mdx' -o -name '*.py' -o -name '*.js' -o -name '*.ts' -o -name '*.toml' -o -name '*.json' \) -delete
find web -type f \( -name '*.min.js' -o -name 'requirements*.txt' -o -iname 'licen[sc]e*' -o -size -40c \) -delete
find web -type d -empty -delete; chmod -R u+w web
echo "web: $(find web -type f | wc -l) files, $(du -sh web | cut -f1)"
