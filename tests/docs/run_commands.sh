#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# run_commands.sh PAGE BIN SAMPLES: runs every ```sh block of a page, each in a folder of its own that
# has photos/, scans/, pages/ and a few single files, with `millrace` from BIN on the PATH. A block
# must succeed and leave a file behind that was not there.
set -eu
page=$1 bin=$2 samples=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/samples/scans" "$work/blocks" "$work/home"
cp -r "$samples/photos" "$work/samples/photos"
cp -r "$samples/phone" "$work/samples/pages"
cp "$samples/photos/lake.jpg" "$samples/photos/leaf.png" "$work/samples/"
cp "$samples/scans/skewed.png" "$work/samples/scan.png"
cp "$samples/scans/skewed.png" "$samples/scans/columns.png" "$work/samples/scans/"
cp "$samples/scans/three-pages.tif" "$work/samples/pages.tif"
awk -v folder="$work/blocks" '
  /^```/ { inside = $0 == "```sh"; file = sprintf("%s/line-%04d", folder, NR); next }
  inside { print > file }' "$page"
[ -n "$(ls "$work/blocks")" ] || { echo "run_commands.sh: $page has no sh block" >&2; exit 2; }

export HOME="$work/home" PATH="$bin:$PATH"
unset MILLRACE_PLUGIN_PATH XDG_DATA_HOME XDG_CACHE_HOME
for block in "$work/blocks/"*; do
  rm -rf "$work/here"
  cp -r "$work/samples" "$work/here"
  cd "$work/here"
  before=$(find . -type f | wc -l)
  echo "-- $page, ${block##*/}" >&2
  sh -eux "$block"
  [ "$(find . -type f -size +0 | wc -l)" -gt "$before" ] || { echo "run_commands.sh: it wrote nothing" >&2; exit 1; }
done
