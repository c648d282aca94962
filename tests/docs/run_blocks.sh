#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# run_blocks.sh PAGE BIN PHOTOS: runs every ```sh block of a page, one after the other in one shell,
# as a newcomer would: in an empty folder, with `millrace` from BIN on the PATH, a home of its own,
# and a photo in ~/Pictures. Ends at the first command that fails. The blocks share folder and
# variables: a `cd` in one holds in the next. A ```yaml block that begins with `# NAME.yaml` becomes
# that file.
set -eu
page=$1 bin=$2 photos=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home/Pictures" "$work/empty"
cp "$photos/leaf.png" "$work/home/Pictures/"
awk '
  /^```/ {
    if (file) print "END_OF_FILE"
    file = 0; inside = $0 == "```sh"; first = $0 == "```yaml"
    if (inside) print "echo \"-- the block at line " NR "\" >&2"
    next
  }
  first { first = 0; if ($0 ~ /^# [a-z]+\.yaml$/) { file = 1; print "cat > " $2 " <<\"END_OF_FILE\"" } }
  inside || file' "$page" > "$work/blocks"
[ -s "$work/blocks" ] || { echo "run_blocks.sh: $page has no sh block" >&2; exit 2; }

if command -v ccache > /dev/null; then # what is compiled may be known from last time
  CCACHE_DIR=$(ccache --get-config cache_dir)
  export CCACHE_DIR
fi
export HOME="$work/home" PATH="$bin:$PATH"
unset MILLRACE_PLUGIN_PATH XDG_DATA_HOME XDG_CACHE_HOME
cd "$work/empty"
sh -eux "$work/blocks"
