#!/bin/sh
# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
#
# caught.sh STATUS TEXT COMMAND...: whether the command ends with the status and says the text.
status=$1 text=$2
shift 2
said=$("$@" 2>&1)
ended=$?
printf '%s\n' "$said"
[ "$ended" -eq "$status" ] || { echo "caught.sh: status $ended, not $status" >&2; exit 1; }
case $said in
  *"$text"*) ;;
  *) echo "caught.sh: it did not say '$text'" >&2; exit 1 ;;
esac
