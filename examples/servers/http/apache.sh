#!/bin/sh
# Runs Apache in the foreground, listening at the given address, with its files in a temporary folder: apache.sh HOST:PORT.
set -eu
umask 022
export STATE MODULES SERVER_USER SERVER_GROUP
MODULES=${APACHE_MODULES:-/usr/lib/apache2/modules}
SERVER_USER=$(id -un)
test "$SERVER_USER" != root || SERVER_USER=nobody # Apache refuses to serve as root
SERVER_GROUP=$(id -gn "$SERVER_USER")
STATE=$(mktemp -d /tmp/echo.XXXXXX) # nobody may have no access to TMPDIR
chmod 755 "$STATE"
cp "$(dirname "$0")/echo.py" "$(dirname "$0")/apache.conf" "$STATE"
trap 'kill "$server"; wait "$server" || :; rm -rf "$STATE"' EXIT
trap 'exit 0' TERM INT
apache2 -D FOREGROUND -f "$STATE/apache.conf" -C "Listen $1" &
server=$!
wait "$server"
