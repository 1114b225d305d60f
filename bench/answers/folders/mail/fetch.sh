#!/usr/bin/env bash
# Makes the folder `mail` (Exim specification and Apache manual as HTML, the Dovecot wiki as plain text) from Debian packages.
# usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
deb() { [ -d "x-$1" ] || { ls "$1"_*.deb >/dev/null 2>&1 || apt-get download "$1=$2" 2>/dev/null || apt-get download "$1"; dpkg -x "$1"_*.deb "x-$1"; }; }
deb exim4-doc-html 4.96-1; deb apache2-doc 2.4.71-1~deb12u1; deb dovecot-core 1:2.3.19.1+dfsg1-2.1+deb12u7
cd "$target"; rm -rf mail; mkdir -p mail/exim mail/dovecot mail/apache
cp download/x-exim4-doc-html/usr/share/doc/exim4-doc-html/spec_html/*.html mail/exim/; rm -f mail/exim/ch-*_index.html mail/exim/ch[0-9]*.html mail/exim/filter_ch[0-9]*.html
cp download/x-dovecot-core/usr/share/doc/dovecot-core/wiki/* mail/dovecot/; gzip -df mail/dovecot/*.gz
(cd download/x-apache2-doc/usr/share/doc/apache2-doc/manual/en; find . -name '*.html' ! -path './style/*' | tar -chf - -T -) | tar -xf - -C mail/apache
find mail -type f -size 0 -delete; find mail -type l -delete
echo "mail: $(find mail -type f | wc -l) files, $(du -sh mail | cut -f1)"
