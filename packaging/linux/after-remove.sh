#!/bin/sh
set -e
# Also called on an upgrade, with other words: dpkg says so, rpm tells how many versions remain.
case "${1-}" in upgrade | failed-upgrade | abort-install | abort-upgrade | 1) exit 0 ;; esac
if [ -f /etc/apparmor.d/deckhand ]; then
  apparmor_parser --remove /etc/apparmor.d/deckhand 2>/dev/null || true
  rm -f /etc/apparmor.d/deckhand
fi
exit 0
