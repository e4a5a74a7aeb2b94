import { Box, TriangleAlert } from 'lucide-react'
import type { Blocked } from '../../src-preload/contract/sandbox'
import { visible } from '../state/format'
import { runOutside } from '../state/sandbox'
import { Button } from '../ui'

/** What a command ran into in the sandbox or the cage, and the way out of it. */
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

/** What a command in the sandbox made that makes something run outside it, sooner or later. */
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
