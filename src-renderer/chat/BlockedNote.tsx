import { Box, TriangleAlert } from 'lucide-react'
import type { Blocked } from '../../src-preload/contract/sandbox'
import { visible } from '../state/format'
import { runOutside } from '../state/sandbox'
import { Button } from '../ui'

/** What the sandbox or the cage blocked, and how to run the command outside. */
export function BlockedNote({ callId, blocked, caged }: { callId: string; blocked: Blocked; caged: boolean }) {
  return (
    <div className="ui-row chat-tool-blocked" role="note">
      <Box size={14} aria-hidden />
      <span>
        {visible(blocked.text)}. The {caged ? 'cage' : 'sandbox'} does not allow that.
      </span>
      <Button onClick={() => runOutside(callId)}>Run again outside the {caged ? 'cage' : 'sandbox'}</Button>
    </div>
  )
}

/** Files that a sandboxed command made and that will make something run outside the sandbox. */
export function PlantedNote({ paths }: { paths: readonly string[] }) {
  return (
    <div className="ui-row chat-tool-blocked" data-warns role="note">
      <TriangleAlert size={14} aria-hidden />
      <span>
        Created <code>{paths.map(visible).join(', ')}</code>, which may run by itself outside the sandbox. Review it, or
        undo it.
      </span>
    </div>
  )
}
