#!/usr/bin/env bash
# Looks for known vulnerabilities in what is used: Go's database for what the code calls, OSV's for every dependency, Java's
# too. A database that can't be reached is said to be so: then nothing is known, and the exit code is 4. 1 is a finding.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0
osv=github.com/google/osv-scanner/v2/cmd/osv-scanner@v2.5.0
found=0 unknown=0

# judge NAME STATUS OUTPUT FINDING says what became of a scan: exit status FINDING is a finding.
judge() {
  case $2 in
  0) echo "$1: nothing is known against it" ;;
  "$4")
    echo "$1: vulnerabilities:"
    echo "$3"
    found=1
    ;;
  124)
    echo "$1: not judged, because the scan took more than half an hour"
    unknown=1
    ;;
  *)
    echo "$1: not judged, because the scan failed: $(grep -v "^exit status" <<<"$3" | tail -n 1)"
    unknown=1
    ;;
  esac
}

for module in . tools tools/dist; do
  output=$(timeout 1800 go -C "$module" run "$govulncheck" ./... 2>&1)
  judge "Go's calls in $module" $? "$output" 3
done
output=$(timeout 1800 go run "$osv" scan source --recursive . 2>&1)
judge 'dependencies of Go, Java and the front end' $? "$output" 1

test $found = 0 || exit 1
test $unknown = 0 || exit 4
