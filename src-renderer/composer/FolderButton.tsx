import { Folder } from 'lucide-react'
import { chooseWorkspace } from '../state/actions'
import { folderName, visible } from '../state/format'
import { useDeckhand } from '../state/store'
import { Tooltip } from '../ui'

export function FolderButton({ sessionId }: { sessionId: string }) {
  const workspace = useDeckhand((state) => state.sessions[sessionId]?.workspace ?? '')
  return (
    <Tooltip text={`Workspace: ${visible(workspace)}`} side="top">
      <button
        type="button"
        className="composer-pick composer-folder"
        aria-label={`Workspace: ${folderName(workspace)}. Choose another folder`}
        onClick={() => chooseWorkspace(sessionId)}
      >
        <Folder size={14} aria-hidden />
        <span className="composer-pick-text">{visible(folderName(workspace))}</span>
      </button>
    </Tooltip>
  )
}
