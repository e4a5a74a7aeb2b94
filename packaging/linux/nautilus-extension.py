"""Adds "Open in Deckhand" to the menu of a folder in GNOME Files. Needs python3-nautilus."""
import subprocess

from gi.repository import GObject, Nautilus


class OpenInDeckhand(GObject.GObject, Nautilus.MenuProvider):
    def _item(self, name, folder):
        path = folder.get_location().get_path()
        if not path or not folder.is_directory():
            return []
        item = Nautilus.MenuItem(name=name, label="Open in Deckhand", icon="deckhand")
        item.connect("activate", lambda _item: subprocess.Popen(["deckhand", "--open=" + path]))
        return [item]

    # Older versions hand over the window as well.
    def get_file_items(self, *args):
        files = args[-1]
        return self._item("Deckhand::open", files[0]) if len(files) == 1 else []

    def get_background_items(self, *args):
        return self._item("Deckhand::open_here", args[-1])
