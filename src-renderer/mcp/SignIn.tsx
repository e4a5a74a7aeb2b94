import { Check, LogIn, LogOut } from 'lucide-react'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'
import { Button } from '../ui'

/** Whether the user is signed in to a server, with buttons to sign in and out. */
export function SignIn({ server: { id, signIn, config } }: { server: McpServerInfo }) {
  const host = URL.parse(config.url ?? '')?.host ?? 'it'
  const begin = () => void attempt(call('mcp.signIn', { id }))
  switch (signIn) {
    case 'needed':
    case 'expired':
      return (
        <p className="ui-row page-inline">
          <span className="page-caution">
            {signIn === 'needed' ? `You are not signed in to ${host}.` : `Your sign-in to ${host} has expired.`}
          </span>
          <Button kind="primary" icon={<LogIn size={14} />} onClick={begin}>
            Sign in
          </Button>
        </p>
      )
    case 'waiting':
      return (
        <p className="ui-row page-inline">
          <span className="page-hint">Finish signing in in your browser.</span>
          <Button onClick={begin}>Open again</Button>
          <Button kind="quiet" onClick={() => void attempt(call('mcp.cancelSignIn', { id }))}>
            Cancel
          </Button>
        </p>
      )
    case 'done':
      return (
        <p className="ui-row page-inline">
          <Check size={14} aria-hidden />
          <span className="page-hint">Signed in to {host}</span>
          <Button kind="quiet" icon={<LogOut size={14} />} onClick={() => void attempt(call('mcp.signOut', { id }))}>
            Sign out
          </Button>
        </p>
      )
    case undefined:
      return null
  }
}
