import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { call } from '../state/bridge'
import { announce, attempt } from '../state/toasts'
import { Button } from '../ui'

/** Accounts that can be used by signing in, and those whose providers do not permit that to other programs. */
export function PlanSignIn() {
  const [waiting, setWaiting] = useState(false)
  const [problem, setProblem] = useState('')
  const begin = () => {
    setWaiting(true)
    setProblem('')
    call('provider.signIn', { service: 'openrouter' })
      .then(
        (done) => done && announce('Signed in to OpenRouter'),
        (error: Error) => setProblem(error.message),
      )
      .finally(() => setWaiting(false))
  }
  return (
    <div className="ui-column">
      <div className="ui-row settings-add">
        {waiting ? (
          <>
            <span role="status">Continue in your browser to sign in to OpenRouter…</span>
            <Button kind="quiet" onClick={() => attempt(call('provider.cancelSignIn', {}))}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            <span>Or</span>
            <Button icon={<LogIn size={14} />} onClick={begin}>
              Sign in with OpenRouter
            </Button>
          </>
        )}
      </div>
      {problem && (
        <p className="settings-error" role="alert">
          {problem}
        </p>
      )}
      <p className="settings-hint">
        Claude and ChatGPT plans cannot be used here: Anthropic and OpenAI do not permit other apps to sign in with
        them. To use such a plan, run the vendor’s own agent (Claude Code or Codex) in a session, where it signs in
        itself.
      </p>
    </div>
  )
}
