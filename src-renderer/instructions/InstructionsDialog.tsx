import { useEffect, useState } from 'react'
import type { InstructionsView } from '../../src-preload/contract/instructions'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { attempt } from '../state/toasts'
import { Button, Dialog } from '../ui'
import { allowImport, decideInstructions } from './instruction-actions'
import { leftOutWords, sourceWords } from './instruction-words'
import './instructions.css'

/** The instructions of a session: the files, their text as the agent gets it, and whether they are used. */
export function InstructionsDialog({ view, onClose }: { view: InstructionsView; onClose: () => void }) {
  const [text, setText] = useState('')
  useEffect(() => {
    void attempt(call('instructions.text', { sessionId: view.sessionId }).then(setText))
  }, [view])
  const answer = (use: boolean) => {
    onClose()
    decideInstructions(view, use)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Instructions for the agent"
      actions={
        view.state === 'none' ? undefined : (
          <>
            {view.state !== 'off' && <Button onClick={() => answer(false)}>Ignore this folder’s instructions</Button>}
            {view.state !== 'used' && (
              <Button kind="primary" onClick={() => answer(true)}>
                Follow this folder’s instructions
              </Button>
            )}
          </>
        )
      }
    >
      <div className="ui-column instructions-dialog">
        <ul className="ui-column instructions-files">
          {view.files.map((file) => (
            <li key={`${file.source} ${file.path}`}>
              <code>{visible(file.path)}</code> <span className="page-hint">{sourceWords(file)}</span>
            </li>
          ))}
          {view.leftOut.map((left) => (
            <li key={`left ${left.importedBy} ${left.path}`}>
              <code>@{visible(left.path)}</code>{' '}
              <span className="page-hint">
                not included: {leftOutWords(left)} (named in {visible(left.importedBy)})
              </span>{' '}
              {left.target && <Button onClick={() => allowImport(view, left.target ?? '')}>Include it</Button>}
            </li>
          ))}
        </ul>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get to it */}
        <section className="instructions-text" tabIndex={0} aria-label="The words of the files">
          {visible(text) || 'The agent gets none of it.'}
        </section>
      </div>
    </Dialog>
  )
}
