import { Download, MessageSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Replay } from '../../src-preload/contract/replay'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { attempt, toast } from '../state/toasts'
import { Button } from '../ui'
import { createPlayer } from './player'
import './replay.css'

/** The replay of the open session. */
export function ReplayPage() {
  const sessionId = useDeckhand((state) => state.selectedId) ?? ''
  const [replay, setReplay] = useState<Replay | null>(null)
  const asked = useAsk(() => call('replay.get', { sessionId }).then(setReplay), sessionId)
  const save = () =>
    attempt(
      call('replay.export', { sessionId }).then((path) => {
        if (path) toast({ kind: 'info', text: `Saved as ${path}` })
      }),
    )
  return (
    <Page
      title="Replay"
      kind="full"
      hint={replay && <>“{replay.title}”, as it happened. Long pauses are skipped.</>}
      actions={
        <>
          <Button icon={<Download size={14} />} onClick={save}>
            Export as HTML…
          </Button>
          <Button icon={<MessageSquare size={14} />} onClick={() => showPage('chat')}>
            Back to chat
          </Button>
        </>
      }
    >
      <Loaded asked={asked} ready={replay !== null} what="The replay">
        {replay && <Player replay={replay} />}
      </Loaded>
    </Page>
  )
}

function Player({ replay }: { replay: Replay }) {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!holder.current) return
    const player = createPlayer(holder.current, replay, (processId) => call('replay.read', { processId }))
    return player.destroy
  }, [replay])
  return <div ref={holder} className="replay-holder" />
}
