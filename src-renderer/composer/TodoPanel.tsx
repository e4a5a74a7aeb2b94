import { ChevronRight, ListTodo, X } from 'lucide-react'
import { useState } from 'react'
import { TodoList } from '../chat/TodoList'
import { useExpanded } from '../chat/use-expanded'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { IconButton } from '../ui'
import './todo-panel.css'

/**
 * The agent's list of steps, above the message box until everything on it is done and the turn has ended, or until the
 * user closes it. A change shows it again.
 */
export function TodoPanel({ sessionId }: { sessionId: string }) {
  const items = useDeckhand((state) => state.todos[sessionId])
  const busy = useDeckhand((state) => isBusy(state.sessions[sessionId]))
  const [closed, setClosed] = useState<typeof items>()
  const [open, toggle] = useExpanded(`todo-${sessionId}`)
  if (!items?.length || closed === items) return null
  const done = items.filter((item) => item.status === 'done').length
  if (done === items.length && !busy) return null
  const current = items.find(({ status }) => status === 'active') ?? items.find(({ status }) => status === 'pending')
  return (
    <section className="composer-todo" aria-label="Steps">
      <div className="composer-todo-head">
        <button type="button" className="ui-row composer-todo-line" aria-expanded={open} onClick={toggle}>
          <ChevronRight className="composer-todo-chevron" size={14} aria-hidden />
          <ListTodo size={14} aria-hidden />
          <span className="composer-todo-count">
            {done} of {items.length}
          </span>
          <span className="ui-cut composer-todo-text">{current?.text ?? 'All done'}</span>
        </button>
        <IconButton light label="Hide steps" icon={<X size={13} />} onClick={() => setClosed(items)} />
      </div>
      {open && <TodoList items={items} />}
    </section>
  )
}
