#!/usr/bin/env bash
# Makes the folder `idiomas` (Debian's manuals and man pages in Spanish, German and French; HTML, text and PDF) in TARGET/idiomas/{es,de,fr}.
# Man pages are rendered to text with groff (or man), where one is installed. usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
deb() { [ -d "x-$1" ] || { ls "$1"_*.deb >/dev/null 2>&1 || apt-get download "$1=$2" >/dev/null 2>&1 || apt-get download "$1" >/dev/null; dpkg -x "$1"_*.deb "x-$1"; }; }
for l in es de fr; do deb debian-reference-$l 2.100; deb maint-guide-$l 1.2.53; deb manpages-$l 4.18.1-1; done
for l in de fr; do deb developers-reference-$l 12.18; deb debian-faq-$l 11.1; done
for l in es fr; do deb aptitude-doc-$l 0.8.13-5; done
cd "$target"; rm -rf idiomas; mkdir -p idiomas/{es,de,fr}
x() { echo "$target/download/x-$1/usr/share"; }
page() { # FILE.gz OUT.txt: a man page as text, not hyphenated or justified
  if command -v groff >/dev/null; then { printf '.nr LL 99n\n.pl 1100i\n.nh\n.de hy\n..\n.na\n.de ad\n..\n.lf 1\n'; zcat "$1"; } | groff -Kutf8 -t -Tutf8 -mandoc -P-cbou 2>/dev/null | cat -s
  elif command -v man >/dev/null; then LC_ALL=C.UTF-8 MANWIDTH=100 man -E UTF-8 --nh --nj -P cat -l "$1" 2>/dev/null
  else zcat "$1"; fi >"$2"; }
export -f page
pages() { # LANGUAGE SECTION...: man pages that are real files, without the long rows of scanner and character set pages
  local l=$1; shift; mkdir -p "idiomas/$l/man"
  for s in "$@"; do find "$(x manpages-$l)/man/$l/man$s" -type f -name '*.gz' ! -name 'sane-*' ! -name 'iso*8859*' ! -name 'latin*' ! -name 'cp125*' -print0; done |
    xargs -0 -P2 -I{} bash -c 'o=$(basename "$1" .gz); page "$1" "idiomas/$2/man/$o.txt"' _ {} "$l"; find "idiomas/$l/man" -size -300c -delete; }
# Spanish: reference and aptitude in HTML, the maintainers' guide as PDF
mkdir idiomas/es/{referencia,aptitude}
cp "$(x debian-reference-es)"/debian-reference/*.es.html idiomas/es/referencia/
cp "$(x aptitude-doc-es)"/doc/aptitude/html/es/*.html idiomas/es/aptitude/
cp "$(x maint-guide-es)"/doc/maint-guide-es/maint-guide.es.pdf idiomas/es/
pages es 1 5 8
# German: reference as text, developers' reference and maintainers' guide in HTML, FAQ as PDF
mkdir idiomas/de/{entwickler,maint-guide}
zcat "$(x debian-reference-de)"/debian-reference/debian-reference.de.txt.gz >idiomas/de/debian-reference.de.txt
find "$(x developers-reference-de)"/developers-reference/de -maxdepth 1 -name '*.html' ! -name developers-reference.html -exec cp -t idiomas/de/entwickler {} +
cp "$(x maint-guide-de)"/doc/maint-guide-de/html/*.html idiomas/de/maint-guide/
zcat "$(x debian-faq-de)"/doc/debian/FAQ/debian-faq.de.pdf.gz >idiomas/de/debian-faq.de.pdf
pages de 5 7
# French: reference as PDF, developers' reference, aptitude and maintainers' guide in HTML, FAQ as text
mkdir idiomas/fr/{developpeur,aptitude,maint-guide}
cp "$(x debian-reference-fr)"/debian-reference/debian-reference.fr.pdf idiomas/fr/
find "$(x developers-reference-fr)"/developers-reference/fr -maxdepth 1 -name '*.html' ! -name developers-reference.html -exec cp -t idiomas/fr/developpeur {} +
cp "$(x aptitude-doc-fr)"/doc/aptitude/html/fr/*.html idiomas/fr/aptitude/
cp "$(x maint-guide-fr)"/doc/maint-guide-fr/html/*.html idiomas/fr/maint-guide/
zcat "$(x debian-faq-fr)"/doc/debian/FAQ/debian-faq.fr.txt.gz >idiomas/fr/debian-faq.fr.txt
pages fr 8
for p in find sed tar wget crontab ls sort xargs date df du cut grep chmod cp dd chattr su script sleep split stat tail tree wc; do page "$(x manpages-fr)/man/fr/man1/$p.1.gz" "idiomas/fr/man/$p.1.txt"; done
echo "idiomas: $(find idiomas -type f | wc -l) files, $(du -sh idiomas | cut -f1)"
