import { FilePlus, SquareTerminal, Timer } from 'lucide-react'
import { Suspense } from 'react'
import { lazily } from '../layout/lazily'
import { send } from '../state/message-actions'
import { guide, modelName, usualModel } from '../state/models'
import { openSettings } from '../state/navigate'
import { setModel } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'

const ImportOffer = lazily(async () => (await import('../moving-in/ImportOffer')).ImportOffer)

/** Three things to try that work in any folder: one runs at once, one asks and shows a diff, one keeps running. */
const suggestions = [
  {
    icon: SquareTerminal,
    title: 'Run a command',
    text: 'Run `ls -la`',
    hint: 'Watch it in a live terminal.',
  },
  {
    icon: FilePlus,
    title: 'Create a file',
    text: 'Create hello.md with Hello from Deckhand',
    hint: 'See the change and approve it first.',
  },
  {
    icon: Timer,
    title: 'Run something in the background',
    text: 'Start `while sleep 1; do date; done` in the background',
    hint: 'It keeps running beside the chat until you stop it.',
  },
] as const

export function Welcome({ sessionId }: { sessionId: string }) {
  const offline = useDeckhand((state) => state.sessions[sessionId]?.model === guide)
  return (
    <section className="ui-column chat-welcome" aria-label="Things to try">
      <h2>What would you like to do?</h2>
      <p>
        Deckhand asks before it changes anything that matters. Every command runs in a live terminal that you can watch
        and type into.
      </p>
      <ul>
        {suggestions.map(({ icon: Icon, title, text, hint }) => (
          <li key={title}>
            <button type="button" onClick={() => attempt(send(sessionId, text))}>
              <Icon size={18} aria-hidden />
              <span className="chat-welcome-title">{title}</span>
              <code>{text.replaceAll('`', '')}</code>
              <span className="chat-welcome-hint">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
      {offline && <Offline sessionId={sessionId} />}
      <Suspense>
        <ImportOffer />
      </Suspense>
    </section>
  )
}

/** Says that the offline guide answers, and offers a real model. */
function Offline({ sessionId }: { sessionId: string }) {
  const providers = useDeckhand((state) => state.providers)
  const better = useDeckhand((state) => usualModel(state.providers, state.settings?.defaultModel ?? ''))
  return (
    <div className="ui-row chat-welcome-note">
      {better === guide ? (
        <>
          <p>The built-in offline guide answers until you add a model. It follows simple rules and needs no network.</p>
          <Button kind="primary" onClick={() => openSettings('models')}>
            Add a model
          </Button>
        </>
      ) : (
        <>
          <p>The built-in offline guide answers in this session. It follows simple rules.</p>
          <Button kind="primary" onClick={() => setModel(sessionId, better)}>
            Use {modelName(providers, better)}
          </Button>
        </>
      )}
    </div>
  )
}
