#!/bin/sh
# What is on the PATH: a command runs without a window and needs no display; all else opens the window.
self=$(readlink -f "$0")
app=${self%/*/*}/deckhand
case "${1-}" in
  --version | -v)
    echo '@VERSION@'
    exit 0
    ;;
  deckhand-link:*)
    # Comes from other programs, so it is never read as an option.
    set -- -- "$1"
    ;;
  --help | -h | [!-]*)
    # Nothing of Chromium is started for these, so there is nothing to sandbox.
    exec "$app" --no-sandbox --no-zygote --log-level=3 --deckhand-part=cli -- "$@"
    ;;
esac
# Root cannot have Chromium's sandbox.
[ "$(id -u)" = 0 ] && set -- --no-sandbox "$@"
exec "$app" --log-level=3 "$@"
