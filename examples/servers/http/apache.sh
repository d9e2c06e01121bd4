#!/bin/sh
# Runs Apache in the foreground, listening at the address given, with its files in a folder of its own.
set -eu
umask 022
export STATE MODULES SERVER_USER SERVER_GROUP
MODULES=${APACHE_MODULES:-/usr/lib/apache2/modules}
SERVER_USER=$(id -un)
test "$SERVER_USER" != root || SERVER_USER=nobody # as whom it refuses to serve
SERVER_GROUP=$(id -gn "$SERVER_USER")
STATE=$(mktemp -d /tmp/echo.XXXXXX) # below TMPDIR nobody may not be let in
chmod 755 "$STATE"
cp "$(dirname "$0")/echo.py" "$(dirname "$0")/apache.conf" "$STATE"
trap 'kill "$server"; wait "$server" || :; rm -rf "$STATE"' EXIT
trap 'exit 0' TERM INT
apache2 -D FOREGROUND -f "$STATE/apache.conf" -C "Listen $1" &
server=$!
wait "$server"
