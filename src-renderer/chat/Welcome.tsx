import { FileText, Server, SquareTerminal } from 'lucide-react'
import { attempt, send } from '../state/actions'
import { guide } from '../state/models'
import { useDeckhand } from '../state/store'

/** Three things to try, one click each: a command that asks, a read that does not, and a terminal that stays. */
const suggestions = [
  {
    icon: SquareTerminal,
    title: 'Run a command',
    text: 'Run `ls -la`',
    hint: 'Watch it in a live terminal.',
  },
  {
    icon: FileText,
    title: 'Read a file',
    text: 'Read README.md',
    hint: 'Reading is safe and does not ask.',
  },
  {
    icon: Server,
    title: 'Start a server',
    text: 'Start `python3 -m http.server 0` in the background',
    hint: 'You allow it; it keeps running beside the chat.',
  },
] as const

export function Welcome({ sessionId }: { sessionId: string }) {
  const offline = useDeckhand((state) => state.sessions[sessionId]?.model === guide)
  return (
    <section className="chat-welcome" aria-label="Things to try">
      <h2>What shall we do?</h2>
      <p>
        Deckhand asks before it touches anything that matters, and every command runs in a terminal that you can watch
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
      {offline && (
        <p className="chat-welcome-note">
          The built-in offline guide answers until you add a model. It follows simple rules and needs no network.
        </p>
      )}
    </section>
  )
}
