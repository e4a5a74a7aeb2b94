import { Folder, FolderOpen } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { folderName, visible } from '../state/format'
import { chooseWorkspace, setWorkspace } from '../state/session-actions'
import { recentFolders } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui'

/** The folder that the session works in, with those used recently. */
export function FolderButton({ sessionId }: { sessionId: string }) {
  const workspace = useDeckhand((state) => state.sessions[sessionId]?.workspace ?? '')
  const recent = useDeckhand(useShallow((state) => recentFolders(state.sessions)))
  return (
    <Menu
      side="top"
      wide
      trigger={
        <button
          type="button"
          className="composer-pick composer-folder"
          title={visible(workspace)}
          aria-label={`Workspace: ${folderName(workspace)}. Choose another folder`}
        >
          <Folder size={14} aria-hidden />
          <span className="ui-cut composer-pick-text">{visible(folderName(workspace))}</span>
        </button>
      }
    >
      <MenuLabel>Recent folders</MenuLabel>
      {recent.map((folder) => (
        <MenuItem
          key={folder}
          checked={folder === workspace}
          hint={visible(folder)}
          onSelect={() => setWorkspace(sessionId, folder)}
        >
          {visible(folderName(folder))}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<FolderOpen size={14} />} onSelect={() => chooseWorkspace(sessionId)}>
        Choose folder…
      </MenuItem>
    </Menu>
  )
}
