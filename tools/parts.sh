#!/usr/bin/env bash
# Runs targets of the Makefile, three at a time, goes on when one fails, and ends with what became of each:
#   tools/parts.sh TARGET[:AFTER]…
# A target begins when the one that is named after the colon, which stands before it, has ended. Standard output has what a
# target prints as soon as it has ended, and every minute what is running. jobs=N in the environment is another number of
# targets at a time. The exit code is 1 when one failed.
#
# Beside the time that a target took stands that of the processors: what parts do beside one another makes each take longer,
# but none compute more. A process that nobody waited for is not in it.
set -um
jobs=${jobs:-3}
logs=$(mktemp -d)
waiting=("$@") running=()
total=$# failed=0 begun=$SECONDS used=0

# Each part has a process group of its own, as none outlives this.
leave() {
  for part in ${running[@]+"${running[@]}"}; do kill -TERM -- "-$(cat "$logs/$part.pid")" 2>/dev/null; done
  rm -rf "$logs"
}
trap leave EXIT
trap 'exit 130' INT TERM

start() {
  echo "== make $1: begun $((SECONDS - begun)) s after the start"
  echo $SECONDS >"$logs/$1.begun"
  # The status is there when it is whole.
  {
    TIMEFORMAT='%3U %3S'
    { time ${MAKE:-make} --no-print-directory "$1" >"$logs/$1" 2>&1 </dev/null; } 2>"$logs/$1.cpu"
    echo $? >"$logs/$1.code" && mv "$logs/$1.code" "$logs/$1.status"
  } &
  echo $! >"$logs/$1.pid"
  disown
  running+=("$1")
}

# begin starts what may begin, in the order given.
begin() {
  local part later=()
  for part in ${waiting[@]+"${waiting[@]}"}; do
    if [ ${#running[@]} -lt "$jobs" ] && { [ "$part" = "${part#*:}" ] || [ -f "$logs/${part#*:}.status" ]; }; then
      start "${part%%:*}"
    else
      later+=("$part")
    fi
  done
  waiting=(${later[@]+"${later[@]}"})
}

took() { echo "$((SECONDS - $(cat "$logs/$1.begun"))) s"; }

# computed prints the seconds of the processors that a part which has ended took, in user code and in the kernel.
computed() {
  local user kernel
  read -r user kernel <"$logs/$1.cpu"
  echo $(((10#${user//[!0-9]/} + 10#${kernel//[!0-9]/} + 500) / 1000))
}

# collect prints what the parts printed that have ended, and notes what became of them.
collect() {
  local part still=()
  for part in "${running[@]}"; do
    if [ -f "$logs/$part.status" ]; then
      echo "== make $part: ended after $(took "$part"), printed"
      cat "$logs/$part"
      judge "$part" >>"$logs/summary"
      used=$((used + $(computed "$part")))
      [ "$(cat "$logs/$part.status")" = 0 ] || failed=$((failed + 1))
    else
      still+=("$part")
    fi
  done
  running=(${still[@]+"${still[@]}"})
}

judge() {
  if [ "$(cat "$logs/$1.status")" = 0 ]; then
    echo "ok      $1, $(took "$1"), $(computed "$1") s of CPU"
  else
    echo "FAILED  $1, $(took "$1"), $(computed "$1") s of CPU; to run it alone: make $1"
    # Names of Go's tests, packages and conformance cases, and of Maven's modules and tests.
    grep -hE '^ *--- FAIL: |^FAIL[[:blank:]]+[^[:blank:]]|^\[ERROR\] .*(FAILURE|ERROR)!' "$logs/$1" | sed 's/^/          /'
  fi
}

report() {
  local part line=
  for part in "${running[@]}"; do line="$line, $part for $(took "$part")"; done
  echo "== $((SECONDS - begun)) s: $((total - ${#running[@]} - ${#waiting[@]})) of $total parts have ended; running: ${line#, }"
}

reported=$SECONDS
begin
while [ ${#running[@]} -gt 0 ]; do
  sleep 1
  collect
  begin
  if [ ${#running[@]} -gt 0 ] && [ $((SECONDS - reported)) -ge 60 ]; then
    report
    reported=$SECONDS
  fi
done

for part in ${waiting[@]+"${waiting[@]}"}; do
  failed=$((failed + 1))
  echo "FAILED  ${part%%:*} was not begun: there is no part ${part#*:} before it" >>"$logs/summary"
done
echo
echo "== $total parts, $failed failed, $((SECONDS - begun)) s, $used s of CPU"
cat "$logs/summary"
[ "$failed" = 0 ]
