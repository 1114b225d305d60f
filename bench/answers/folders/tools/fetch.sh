#!/usr/bin/env bash
# Makes the folder `tools` (git documentation as HTML and AsciiDoc text, manual pages of everyday programs as unpacked roff, the bash
# reference as HTML with example scripts) from Debian packages. usage: fetch.sh TARGET
# The questions were written for the versions named; a newer one may answer differently.
set -euo pipefail
target=${1:?usage: fetch.sh TARGET}; mkdir -p "$target/download"; target=$(cd "$target" && pwd); cd "$target/download"
deb() { [ -d "x-$1" ] || { ls "$1"_*.deb >/dev/null 2>&1 || apt-get download "$1=$2" 2>/dev/null || apt-get download "$1"; dpkg -x "$1"_*.deb "x-$1"; }; }
deb git-doc 1:2.39.5-0+deb12u3; deb bash-doc 5.2.15-2; deb tar 1.34+dfsg-1.2+deb12u1; deb rsync 3.5.0+ds1-0+deb12u1
deb openssh-client 1:9.2p1-2+deb12u10; deb openssh-server 1:9.2p1-2+deb12u10; deb systemd 252.39-1~deb12u2; deb cron 3.0pl1-162
deb anacron 2.3-36; deb sudo 1.9.13p3-1+deb12u4; deb logrotate 3.21.0-1; deb curl 7.88.1-10+deb12u15; deb findutils 4.9.0-4
deb tmux 3.3a-3; deb manpages 6.03-2
cd "$target"; rm -rf tools; mkdir -p tools/git/text tools/man tools/bash/examples
html="add am apply archive bisect blame branch bundle cat-file check-ignore checkout cherry-pick clean clone commit config count-objects credential-cache credential-store describe diff difftool fast-export fetch filter-branch for-each-ref format-patch fsck gc grep hash-object help init instaweb interpret-trailers log ls-files ls-remote ls-tree maintenance merge merge-base mergetool mv notes pull push range-diff rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch sparse-checkout stash status submodule svn switch tag update-index var worktree"
for name in $html; do cp "download/x-git-doc/usr/share/doc/git/html/git-$name.html" tools/git/; done
for name in git gitattributes gitcli gitcore-tutorial gitcredentials giteveryday gitglossary githooks gitignore gitmodules gitrevisions gitsubmodules gittutorial gitworkflows gitnamespaces; do cp "download/x-git-doc/usr/share/doc/git/html/$name.html" tools/git/; done
for name in MyFirstContribution MyFirstObjectWalk ReviewingGuidelines SubmittingPatches ToolsForGit git-bisect-lk2009 gitfaq gitformat-index gitformat-pack gitformat-commit-graph git-daemon git-cvsimport git-credential git-http-backend git-imap-send git-fast-import git-patch-id git-shell git-subtree user-manual gitprotocol-v2 gitprotocol-http gitdiffcore gitremote-helpers gitmailmap gitk git-gui date-formats; do
  [ ! -f "download/x-git-doc/usr/share/doc/git/html/$name.txt" ] || cp "download/x-git-doc/usr/share/doc/git/html/$name.txt" tools/git/text/; done
page() { local path; for path in download/x-$1/usr/share/man/man[1578]/*.gz; do [ -L "$path" ] || [ "$(gzip -dc "$path" | wc -c)" -lt 200 ] || gzip -dc "$path" > "tools/man/$(basename "$path" .gz)"; done; }
for name in tar rsync openssh-client openssh-server cron anacron sudo logrotate curl findutils tmux; do page $name; done
for name in systemctl.1 journalctl.1 systemd-run.1 systemd-analyze.1 loginctl.1 timedatectl.1 hostnamectl.1 systemd-notify.1 systemd-inhibit.1 systemd-escape.1 systemd.unit.5 systemd.service.5 systemd.timer.5 systemd.socket.5 systemd.mount.5 systemd.automount.5 systemd.swap.5 systemd.path.5 systemd.slice.5 systemd.scope.5 systemd.target.5 systemd.device.5 systemd.exec.5 systemd.kill.5 systemd.resource-control.5 systemd.preset.5 systemd-system.conf.5 systemd-sleep.conf.5 journald.conf.5 logind.conf.5 tmpfiles.d.5 sysusers.d.5 sysctl.d.5 modules-load.d.5 environment.d.5 machine-id.5 hostname.5 os-release.5 locale.conf.5 networkd.conf.5 systemd.network.5 systemd.time.7 systemd.special.7 systemd.syntax.7 bootup.7 daemon.7 file-hierarchy.7 systemd-tmpfiles.8 systemd-sysusers.8 systemd-journald.service.8 systemd-fstab-generator.8; do
  path="download/x-systemd/usr/share/man/man${name##*.}/$name.gz"; [ ! -f "$path" ] || gzip -dc "$path" > "tools/man/$name"; done
for name in hosts.5 resolv.conf.5 fstab.5 passwd.5 group.5 nsswitch.conf.5 services.5 proc.5 motd.5 issue.5 securetty.5 tmpfs.5 hier.7 glob.7 regex.7 signal.7 tcp.7 ip.7 udp.7 unix.7 cgroups.7 capabilities.7 namespaces.7 environ.7 epoll.7 inotify.7 man-pages.7 utf-8.7 ascii.7 pipe.7 random.7 credentials.7 cpuset.7 sched.7 symlink.7 uri.7 user_namespaces.7 xattr.7 inode.7 nologin.5 shells.5; do
  path="download/x-manpages/usr/share/man/man${name##*.}/$name.gz"; [ ! -f "$path" ] || gzip -dc "$path" > "tools/man/$name"; done
cp download/x-bash-doc/usr/share/doc/bash/bashref.html download/x-bash-doc/usr/share/doc/bash/examples/INDEX.txt tools/bash/
for name in startup-files functions scripts misc complete; do mkdir tools/bash/examples/$name; find "download/x-bash-doc/usr/share/doc/bash/examples/$name" -type f ! -name '*.gz' -exec cp {} tools/bash/examples/$name/ \;; done
find tools -type f -size 0 -delete; find tools -type l -delete
echo "tools: $(find tools -type f | wc -l) files, $(du -sh tools | cut -f1)"
