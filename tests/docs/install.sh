#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# install.sh CMAKE BUILD PREFIX: installs the build folder somewhere else, moves that to PREFIX, and
# looks whether all is there.
set -eu
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix" "$prefix.before"
"$cmake" --install "$build" --prefix "$prefix.before" > /dev/null
mv "$prefix.before" "$prefix"
cd "$prefix"
env -u MILLRACE_PLUGIN_PATH HOME=/nowhere bin/millrace stages ocr > /dev/null
for file in share/millrace/configs/convert.yaml share/doc/*/plugins.md share/doc/*/LICENSE; do
  [ -f "$file" ] || { echo "install.sh: $file is not there" >&2; exit 1; }
done
if grep -rqF --include='*.cmake' "$build" .; then
  echo "install.sh: the package knows the build folder" >&2
  exit 1
fi
