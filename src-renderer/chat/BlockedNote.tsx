import { Box } from 'lucide-react'
import type { Blocked } from '../../src-preload/contract/sandbox'
import { visible } from '../state/format'
import { runOutside } from '../state/sandbox'
import { Button } from '../ui'

/** What a command ran into in the sandbox, and the way out of it, which asks like any other command. */
export function BlockedNote({ callId, blocked }: { callId: string; blocked: Blocked }) {
  return (
    <div className="chat-tool-blocked" role="note">
      <Box size={14} aria-hidden />
      <span>{visible(blocked.text)}. The sandbox does not allow that.</span>
      <Button onClick={() => runOutside(callId)}>Run again outside</Button>
    </div>
  )
}
