# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced by the benchmarks. Programs take turns, so that a busy machine slows all of them, and each
# round's ratio is taken within the round.
set -euo pipefail
[[ -z ${MILLRACE_CORPUS-} ]] || MILLRACE_CORPUS=$(realpath "$MILLRACE_CORPUS")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cores=$(nproc)
millrace=$PWD/build/release/millrace
[[ -x $millrace ]] || { echo "bench: $millrace is not there; ./dev build" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/millrace-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2034 # used where this is sourced
in=$work/in out=$work/out results=$work/results
: > "$results"

# Fills a folder with `count` of the files, under new names and as often as it takes.
copies() { # folder count file...
  local folder=$1 count=$2 number file
  shift 2
  local files=("$@")
  mkdir -p "$folder"
  for ((number = 0; number < count; ++number)); do
    file=${files[number % ${#files[@]}]}
    cp "$file" "$(printf '%s/%03d-%s' "$folder" "$number" "${file##*/}")"
  done
  cat "$folder"/* > /dev/null # all of it in the page cache
}

# Camera JPEGs: the corpus's where MILLRACE_CORPUS says where it is, else the sample data's.
copy_photos() { # folder
  if [[ -n ${MILLRACE_CORPUS-} ]]; then
    copies "$1" 60 "$MILLRACE_CORPUS"/img/photos/*.jpg
  else
    copies "$1" 60 sample_data/photos/*.jpg
  fi
}

# Pages that need no turning, since the tesseract command does not look at tags.
copy_pages() { # folder
  if [[ -n ${MILLRACE_CORPUS-} ]]; then
    copies "$1" 20 "$MILLRACE_CORPUS"/pages/{oldbook_*.tiff,linn.png,meditations.jpg,typewriter.png,lucasta.150.jpg}
  else
    copies "$1" 20 sample_data/scans/{clean.png,skewed.png,noisy.jpg,columns.png}
  fi
}

# Runs a program once and notes wall time, CPU time (with its children's) and the largest process.
measure() { # round name outputs command...
  local round=$1 name=$2 outputs=$3 made
  shift 3
  rm -rf "$out"
  mkdir "$out"
  /usr/bin/time -f '%e %U %S %M' -o "$work/time" "$@" > "$work/log" 2>&1 ||
    { echo "bench: $name failed:" >&2; tail -n 20 "$work/log" >&2; exit 1; }
  made=$(find "$out" -type f -size +0 | wc -l)
  [[ $made -eq $outputs ]] ||
    { echo "bench: $name made $made files of $outputs" >&2; exit 1; }
  echo "$round $name $(tail -n 1 "$work/time")" >> "$results"
}

# Medians over the rounds; ratios of wall and CPU time to the first program's in the same round.
report() { # title rounds
  echo "$1; $2 rounds, $cores cores"
  awk -v cores="$cores" '
    function median(list,   n, values, i, j, v) {
      n = split(list, values, " ")
      for (i = 2; i <= n; ++i) {
        v = values[i] + 0
        for (j = i - 1; j > 0 && values[j] + 0 > v; --j) values[j + 1] = values[j]
        values[j + 1] = v
      }
      return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
    }
    !($2 in wall) { order[++programs] = $2 }
    $2 == order[1] { base = $3 }
    {
      cpu_now = $4 + $5
      if ($2 == order[1]) cpu_base = cpu_now
      wall[$2] = wall[$2] " " $3
      ratio[$2] = ratio[$2] " " $3 / base
      cpu[$2] = cpu[$2] " " cpu_now
      cpu_ratio[$2] = cpu_ratio[$2] " " cpu_now / cpu_base
      busy[$2] = busy[$2] " " 100 * cpu_now / ($3 * cores)
      if ($6 > peak[$2]) peak[$2] = $6
    }
    END {
      printf "%-26s %8s %6s %8s %6s %8s %8s\n", "", "wall s", "ratio", "CPU s", "ratio", "busy %", "peak MB"
      for (i = 1; i <= programs; ++i) {
        p = order[i]
        printf "%-26s %8.2f %6.2f %8.2f %6.2f %8.0f %8.0f\n", p, median(wall[p]), median(ratio[p]),
               median(cpu[p]), median(cpu_ratio[p]), median(busy[p]), peak[p] / 1024
      }
    }' "$results"
}
