#!/usr/bin/env bash
# Makes the folder `science` (PDF manuals of R, gnuplot, GLPK, ngspice, PARI, Maxima, Grace; HTML and text of FFTW, Maxima, R, Grace, Gmsh) from Debian packages. usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
deb() { [ -d "x-$1" ] || { ls "$1"_*.deb >/dev/null 2>&1 || apt-get download "$1=$2" 2>/dev/null || apt-get download "$1"; dpkg -x "$1"_*.deb "x-$1"; }; }
deb gnuplot-doc 5.4.4+dfsg1-2; deb r-doc-pdf 4.2.2.20221110-2; deb r-doc-html 4.2.2.20221110-2; deb libfftw3-doc 3.3.10-1; deb glpk-doc 5.0-1
deb ngspice-doc 39.3+ds-1; deb gmsh-doc 4.8.4+ds2-3; deb pari-doc 2.15.2-1; deb maxima-doc 5.46.0-11; deb grace 1:5.1.25-13
cd "$target"; rm -rf science; mkdir science; d=download
mkdir -p science/R science/gnuplot science/fftw science/glpk science/ngspice science/gmsh/tutorial science/pari science/maxima science/grace
for m in intro data admin exts; do cp -L $d/x-r-doc-pdf/usr/share/R/doc/manual/R-$m.pdf science/R/; done
cp -L $d/x-r-doc-html/usr/share/R/doc/manual/R-lang.html $d/x-r-doc-html/usr/share/R/doc/manual/R-FAQ.html science/R/
cp -L $d/x-gnuplot-doc/usr/share/doc/gnuplot/{gnuplot.pdf,BUGS,NEWS.gz,README.gz} science/gnuplot/
cp -L $d/x-libfftw3-doc/usr/share/doc/libfftw3-dev/fftw-faq.ascii.gz science/fftw/
cp -rL $d/x-libfftw3-doc/usr/share/doc/libfftw3-dev/html science/fftw/manual
cp -L $d/x-glpk-doc/usr/share/doc/glpk-doc/{glpk.pdf,gmpl.pdf,graphs.pdf,npp.txt.gz} science/glpk/; cp -L $d/x-glpk-doc/usr/share/doc/glpk-doc/changelog.gz science/glpk/ChangeLog.txt.gz
cp -L $d/x-ngspice-doc/usr/share/doc/ngspice-doc/{manual.pdf.gz,DEVICES.gz,ANALYSES.gz,README} science/ngspice/
cp -L $d/x-pari-doc/usr/share/pari/doc/{tutorial.pdf,parallel.pdf} science/pari/; cp -L $d/x-pari-doc/usr/share/doc/pari-doc/CHANGES-2.1*.gz science/pari/
cp -rL $d/x-maxima-doc/usr/share/doc/maxima-doc/html science/maxima/html; cp -L $d/x-maxima-doc/usr/share/doc/maxima-doc/maximabook-19-Sept-2004.pdf.gz science/maxima/
cp -L $d/x-grace/usr/share/doc/grace/{Tutorial.pdf.gz,UsersGuide.html,FAQ.html,CHANGES.html} science/grace/
g=$d/x-gmsh-doc/usr/share/doc/gmsh-doc/doc/gmsh; [ -d "$g" ] || g=$(dirname "$(find $d/x-gmsh-doc -name 'CHANGELOG.txt*' | head -1)")
cp -L "$g"/CHANGELOG.txt* science/gmsh/; cp -L "$g"/tutorial/*.geo* science/gmsh/tutorial/; mkdir science/gmsh/tutorial/python; cp -L "$g"/tutorial/python/*.py* "$g"/tutorial/python/README.txt science/gmsh/tutorial/python/
find science -name '*.gz' -exec gunzip -f {} +
mv science/fftw/fftw-faq.ascii science/fftw/fftw-faq.txt
for f in science/gnuplot/{BUGS,NEWS,README} science/ngspice/{DEVICES,ANALYSES,README} science/pari/CHANGES-2.1?; do mv "$f" "$f.txt"; done; rm -f science/maxima/html/maxima_singlepage.html science/pari/parallel.pdf
find science -type f \( -name '*.png' -o -name '*.jpg' -o -name '*.gif' -o -name '*.svg' -o -name '*.css' -o -name '*.js' -o -name '*.ico' -o -name '*.hh?' \) -delete
find science -type d -empty -delete; chmod -R u+w science
echo "science: $(find science -type f | wc -l) files, $(du -sh science | cut -f1)"
