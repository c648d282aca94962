#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# shard.sh PROGRAM INDEX COUNT: every COUNT-th test case of a Catch2 program, in one process. A case
# that is lost on the way (its name is a pattern to Catch2) fails the shard.
program=$1 index=$2 count=$3
names=$(mktemp)
trap 'rm -f "$names"' EXIT
# Catch2 2 ends this with the number of cases for its status.
"$program" --list-test-names-only | awk -v i="$index" -v n="$count" 'NR % n == i' | sed 's/[,\\]/\\&/g' >"$names"
wanted=$(wc -l <"$names") found=$("$program" -f "$names" --list-test-names-only | wc -l)
if [ "$wanted" -eq 0 ] || [ "$wanted" -ne "$found" ]; then
  echo "shard $index of $count: $found test cases where there are $wanted" >&2
  exit 1
fi
"$program" -f "$names" -r compact
