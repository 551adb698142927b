#!/bin/sh
# What the tests drive and does not come from PyPI or npm: Chromium, a PostgreSQL server and nginx.
set -eu
missing=""
command -v chromium >/dev/null || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null ||
  missing="$missing postgresql"
[ -x /usr/sbin/nginx ] || command -v nginx >/dev/null || missing="$missing nginx"
command -v openssl >/dev/null || missing="$missing openssl"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  echo "The tests need$missing: install them, or run this once as root." >&2
  exit 1
fi
$as_root apt-get -qq update
# shellcheck disable=SC2086 # a list of packages
DEBIAN_FRONTEND=noninteractive $as_root apt-get -qq install -y --no-install-recommends $missing
