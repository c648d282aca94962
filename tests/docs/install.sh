#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# install.sh CMAKE BUILD PREFIX PICTURES: installs the build folder somewhere else, moves that to
# PREFIX, looks whether all is there, and runs what needs most of it: a stage in its own process.
set -eu
cmake=$1 build=$2 prefix=$3 pictures=$4
rm -rf "$prefix" "$prefix.before"
"$cmake" --install "$build" --prefix "$prefix.before" > /dev/null
mv "$prefix.before" "$prefix"
cd "$prefix"
env -u MILLRACE_PLUGIN_PATH HOME=/nowhere bin/millrace stages ocr > /dev/null
die() {
  echo "install.sh: $*" >&2
  exit 1
}
for file in share/millrace/configs/convert.yaml share/doc/*/plugins.md share/doc/*/LICENSE \
  include/millrace/stage.hpp include/millrace_plugin.h include/millrace_plugin.hpp \
  lib*/cmake/Millrace/MillraceConfig.cmake lib*/cmake/Millrace/MillracePlugin.cmake \
  lib*/cmake/Millrace/MillraceCPlugin.cmake lib*/cmake/Millrace/millrace_c_plugin.map \
  lib*/cmake/Millrace/FindOpenCVCore.cmake share/man/man1/millrace.1 \
  share/bash-completion/completions/millrace share/zsh/site-functions/_millrace \
  share/fish/vendor_completions.d/millrace.fish; do
  [ -s "$file" ] || die "$file is not there"
done
for program in millrace_manifest millrace_probe millrace_worker; do
  found=$(find . -name $program)
  [ -x "$found" ] || die "$program is not there"
done
if grep -rqF --include='*.cmake' "$build" .; then
  die "the package knows the build folder"
fi

# The installed worker, and no other: without it there is none.
out=$prefix.out
rm -rf "$out"
mkdir "$out"
trap 'rm -rf "$out"' EXIT
cat > "$out/p.yaml" <<'END'
version: 1
vars: { in: in, out: out }
stages:
  - files: { path: "${in}" }
  - resize: { width: 40 }
    isolate: process
  - write: { path: "${out}/{stem}.png" }
END
run() { # FOLDER to write into
  env -u MILLRACE_PLUGIN_PATH HOME=/nowhere bin/millrace run --quiet "$out/p.yaml" \
    --set "in=$pictures" --set "out=$1"
}
run "$out/pictures" || die "a run with a stage in its own process failed"
[ "$(find "$out/pictures" -type f | wc -l)" -eq "$(find "$pictures" -type f | wc -l)" ] ||
  die "not every picture was written"
worker=$(find "$PWD" -name millrace_worker)
mv "$worker" "$worker.away"
! run "$out/more" 2> "$out/said" || die "the worker that ran is not the installed one"
mv "$worker.away" "$worker"
grep -qF "cannot start $worker" "$out/said" || die "it does not tell where the worker should be: $(cat "$out/said")"
