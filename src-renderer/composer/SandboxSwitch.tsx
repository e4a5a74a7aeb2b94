import { Box } from 'lucide-react'
import { useEffect } from 'react'
import { loadSandbox, setSandbox } from '../state/sandbox'
import { useDeckhand } from '../state/store'
import { Tooltip, useAtOnce } from '../ui'

const what =
  'Commands can write only in the workspace, cannot see your keys and have no network access. Ordinary commands then run without asking.'

/** Whether the session's commands run in a sandbox; if this machine has none, why. */
export function SandboxSwitch({ sessionId }: { sessionId: string }) {
  const held = useDeckhand((state) => state.sessions[sessionId]?.sandbox ?? false)
  const [wanted, want] = useAtOnce(held, (sandbox) => setSandbox(sessionId, sandbox))
  const status = useDeckhand((state) => state.sandbox)
  // Finding out starts a program or two, which the first frame of the window should not wait for.
  useEffect(() => {
    const waiting = requestIdleCallback(loadSandbox, { timeout: 1000 })
    return () => cancelIdleCallback(waiting)
  }, [])
  const missing = status !== null && !status.available
  const on = wanted && !missing
  const words = missing
    ? `No sandbox: ${status.note}`
    : [`Sandbox ${on ? 'on' : 'off'}. ${what}`, status?.note].join(' ').trim()
  return (
    <Tooltip text={words} side="top">
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-label="Sandbox"
        aria-disabled={missing || status === null}
        className="composer-pick composer-sandbox"
        onClick={() => status?.available && want(!on)}
      >
        <Box size={14} aria-hidden />
        <span className="ui-cut composer-pick-text">{on ? 'Sandbox' : 'No sandbox'}</span>
      </button>
    </Tooltip>
  )
}
