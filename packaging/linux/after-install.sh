#!/bin/sh
set -e
app=/opt/deckhand
# Chromium's sandbox needs namespaces for ordinary users, or else its helper owned by root with the setuid bit.
if setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user true 2>/dev/null; then
  chmod 0755 "$app/chrome-sandbox"
else
  chmod 4755 "$app/chrome-sandbox"
fi
# Ubuntu 24.04 and later let a program have namespaces by an AppArmor profile that names it.
profile=$app/resources/apparmor-profile
if apparmor_status --enabled >/dev/null 2>&1 && apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
  cp -f "$profile" /etc/apparmor.d/deckhand
  if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/deckhand || true
  fi
fi
exit 0
