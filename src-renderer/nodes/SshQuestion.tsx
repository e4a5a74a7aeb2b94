import './nodes.css'
import { useEffect, useId, useState } from 'react'
import type { BackendQuestion } from '../../src-preload/contract/backends'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, Dialog } from '../ui'

/**
 * A question of ssh, such as about a host key or a passphrase, shown over every page since the connection waits for it.
 */
export function SshQuestion() {
  const [question] = useDeckhand((state) => state.sshQuestions)
  useEffect(() => {
    attempt(load('backend.questions', {}))
  }, [])
  return question ? <Asking key={question.id} question={question} /> : null
}

function Asking({ question: { id, node, prompt, kind } }: { question: BackendQuestion }) {
  const form = useId()
  const field = useId()
  const [secret, setSecret] = useState('')
  const answer = (words: string | null) => attempt(call('backend.answer', { id, answer: words }))
  const confirms = kind === 'confirm'
  return (
    <Dialog
      open
      size="small"
      title={confirms ? `Trust ${node}?` : `${node} asks`}
      onClose={() => answer(null)}
      actions={
        <>
          <Button onClick={() => answer(confirms ? 'no' : null)}>{confirms ? 'Cancel' : 'Cancel'}</Button>
          {confirms ? (
            <Button kind="primary" onClick={() => answer('yes')}>
              Connect
            </Button>
          ) : (
            <Button kind="primary" type="submit" form={form}>
              Continue
            </Button>
          )}
        </>
      }
    >
      {confirms ? (
        <pre className="nodes-prompt">{prompt}</pre>
      ) : (
        <form
          id={form}
          className="ui-column nodes-secret"
          onSubmit={(event) => {
            event.preventDefault()
            answer(secret)
          }}
        >
          <label htmlFor={field}>{prompt}</label>
          <input
            id={field}
            className="ui-input"
            type="password"
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
          <p className="page-hint">Passed to ssh and not stored.</p>
        </form>
      )}
    </Dialog>
  )
}
