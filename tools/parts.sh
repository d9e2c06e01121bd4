#!/bin/sh
# Runs targets of the Makefile one after another, goes on when one fails, and ends with what became of each:
#   tools/parts.sh TARGET…
# Standard output has what the targets print. The exit code is 1 when one failed.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM

begun=$(date +%s)
since() { echo $(($(date +%s) - $1)) s; }

number=0 failed=0
for part in "$@"; do
  number=$((number + 1))
  echo "== make $part: part $number of $#, $(since "$begun") after the start"
  started=$(date +%s)
  # The status of make goes through a file: that of a pipe is tee's.
  { ${MAKE:-make} --no-print-directory "$part" 2>&1; echo $? >"$logs/status"; } | tee "$logs/$part"
  if [ "$(cat "$logs/status")" = 0 ]; then
    echo "ok      $part, $(since "$started")" >>"$logs/summary"
  else
    failed=$((failed + 1))
    {
      echo "FAILED  $part, $(since "$started"); to run it alone: make $part"
      # Names of Go's tests, packages and conformance cases, and of Maven's modules and tests.
      grep -hE '^ *--- FAIL: |^FAIL[[:blank:]]+[^[:blank:]]|^\[ERROR\] .*(FAILURE|ERROR)!' "$logs/$part" | sed 's/^/          /'
    } >>"$logs/summary"
  fi
done

echo
echo "== $number parts, $failed failed, $(since "$begun")"
cat "$logs/summary"
[ "$failed" = 0 ]
