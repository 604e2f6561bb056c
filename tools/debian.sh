# SPDX-License-Identifier: Apache-2.0
# Sourced by tools/package, tools/fresh and tools/bundle, after setup.sh: fresh Debians in temporary
# folders, which go when the tool ends. Needs root, and apt's connection to Debian.

debians=()
remove_debians() {
  local folder
  for folder in "${debians[@]}"; do rm -rf --one-file-system "$folder"; done
}
trap remove_debians EXIT

# sources_of_debian FORMAT: a line for each of this machine's own sources of Debian 12, as apt knows them.
sources_of_debian() {
  apt-get indextargets --format "$1" 'Created-By: Packages' 'Origin: Debian' 'Component: main' |
    grep -E '\bbookworm' | sort -u
}

# make_debian [SUITE [MIRROR]]: makes a fresh Debian (12), or from a mirror of its own a system like it, whose
# signatures aren't checked, as Debian lacks its keys. Its folder is $debian.
make_debian() {
  local suite=${1:-bookworm} mirror=${2:-} proxy="" unchecked=${2:+--no-check-gpg}
  [ "$(id -u)" -eq 0 ] || { say "posse: a Debian in a folder needs root"; return 1; }
  install_missing_packages debootstrap
  debian=$(mktemp -d)
  debians+=("$debian")
  chmod 755 "$debian"
  [ -n "$mirror" ] || mirror=$(sources_of_debian '$(CODENAME) $(REPO_URI)' | sed -n 's/^bookworm //p' | head -n 1)
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  say "posse: a fresh $suite in $debian"
  http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase $unchecked \
    "$suite" "$debian" ${mirror:+"$mirror"} >&2
  [ "$suite" = bookworm ] || return 0
  # Updates, security, proxies and the like, as this machine has them.
  [ -z "$mirror" ] || sources_of_debian 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' >"$debian/etc/apt/sources.list"
  cp /etc/resolv.conf "$debian/etc/"
  cp -r /etc/apt/apt.conf.d "$debian/etc/apt/"
}

# in_debian COMMAND…: runs it in the latest one. Its mounts and the processes that it leaves end with it.
in_debian() {
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
      mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" || exit 1
    chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
    exit $?' "$debian" "$@"
}
