#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An authority, and a certificate that it has signed for each name: certificates.sh FOLDER NAME…
# An authority that is there already signs further names.
set -euo pipefail
if [[ $# -lt 2 ]]; then
  echo "usage: $0 FOLDER NAME…" >&2
  exit 2
fi
umask 077
mkdir -p "$1"
cd "$1"
shift
days=365
if [[ ! -e authority.pem ]]; then
  openssl req -x509 -newkey rsa:3072 -nodes -days $days -subj "/CN=posse authority" \
    -keyout authority.key -out authority.pem
fi
for name in "$@"; do
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  openssl x509 -req -in "$name.csr" -CA authority.pem -CAkey authority.key -CAcreateserial \
    -days $days -out "$name.pem"
  rm "$name.csr"
done
