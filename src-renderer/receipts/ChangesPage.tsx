import { FileDiff, MessageSquare } from 'lucide-react'
import type { ReceiptSummary } from '../../src-preload/contract/receipts'
import type { Session } from '../../src-preload/contract/sessions'
import { Fold } from '../page/Fold'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { folderName, visible } from '../state/format'
import { load } from '../state/load'
import { showCall, showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, Empty, When } from '../ui'
import { ReceiptBody } from './ReceiptBody'
import { receiptWords } from './receipt-words'
import './receipts.css'

/** Everything that the calls of the session have changed and left running, the latest first. */
export function ChangesPage() {
  const sessionId = useDeckhand((state) => state.selectedId) ?? ''
  const session = useDeckhand((state) => state.sessions[sessionId])
  const receipts = useDeckhand((state) => state.receipts)
  const asked = useAsk(() => load('receipt.list', { sessionId }), sessionId)
  const sessions = useDeckhand((state) => state.sessions)
  const mine = Object.values(receipts)
    .filter((receipt) => isOf(sessions, receipt.sessionId, sessionId))
    .sort((a, b) => b.at - a.at)
  return (
    <Page
      title="Changes"
      hint={
        session && (
          <>
            What “{session.title || 'New session'}” did to files in {visible(folderName(session.workspace))}, and what
            it left running.
          </>
        )
      }
      actions={
        <Button icon={<MessageSquare size={14} />} onClick={() => showPage('chat')}>
          Back to chat
        </Button>
      }
    >
      <Loaded asked={asked} ready={mine.length > 0 || (!asked.busy && !asked.problem)} what="The changes">
        {mine.length === 0 && (
          <Empty icon={<FileDiff size={28} />} title="No changes yet">
            Every command and edit in this session that changes files is listed here with its diff. Undo one file or all
            of them. Git is not needed.
          </Empty>
        )}
        <ul className="ui-column page-list">
          {mine.map((receipt) => (
            <ReceiptCard key={receipt.callId} receipt={receipt} />
          ))}
        </ul>
      </Loaded>
    </Page>
  )
}

/** Whether a session is this one or one of its sub-agents. */
function isOf(sessions: Record<string, Session>, id: string, ancestor: string): boolean {
  for (let at: string | null | undefined = id; at; at = sessions[at]?.parentId) if (at === ancestor) return true
  return false
}

function ReceiptCard({ receipt }: { receipt: ReceiptSummary }) {
  return (
    <li>
      <article className="ui-column page-card" aria-label={receipt.gist}>
        <div className="ui-row page-card-head">
          <h3 className="receipt-gist">{visible(receipt.gist)}</h3>
          <span className="ui-row page-card-tools">
            {!receipt.callId.startsWith('review-') && (
              <Button kind="quiet" onClick={() => showCall(receipt.callId)}>
                Show in chat
              </Button>
            )}
            <span className="receipt-hint">
              <When time={receipt.at} />
            </span>
          </span>
        </div>
        <Fold label={receiptWords(receipt)} of={receipt.gist}>
          <ReceiptBody summary={receipt} />
        </Fold>
      </article>
    </li>
  )
}
