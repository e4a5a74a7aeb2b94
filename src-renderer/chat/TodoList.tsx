import { CircleCheck, CircleDashed, CircleDot } from 'lucide-react'
import type { TodoItem } from '../../src-preload/contract/tool-calls'
import './todo.css'

const icons = { done: CircleCheck, active: CircleDot, pending: CircleDashed }
const words = { done: 'done', active: 'in progress', pending: 'open' }

/** The agent's list of steps, with their status. */
export function TodoList({ items }: { items: readonly TodoItem[] }) {
  return (
    <ul className="chat-tool-todo">
      {items.map((item, at) => {
        const Icon = icons[item.status]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same words
          <li key={at} data-status={item.status}>
            <Icon size={14} role="img" aria-label={words[item.status]} />
            <span>{item.text}</span>
          </li>
        )
      })}
    </ul>
  )
}
