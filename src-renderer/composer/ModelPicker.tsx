import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { call } from '../state/bridge'
import { loadAgents } from '../state/hosted'
import { guide, modelName } from '../state/models'
import { focusComposer } from '../state/navigate'
import { setModel } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'

// A list that filters needs as much code as the rest of the composer, and few people open it right away.
const ModelList = lazy(async () => ({ default: (await import('./ModelList')).ModelList }))

/** The model of the session, with a list to choose another. */
export function ModelPicker({ sessionId }: { sessionId: string }) {
  const [open, setOpen] = useState(false)
  const model = useDeckhand((state) => state.sessions[sessionId]?.model ?? guide)
  const providers = useDeckhand((state) => state.providers)
  const agents = useDeckhand((state) => state.hostedAgents)
  const name = modelName(providers, model, agents)
  const choose = (id: string) => {
    setOpen(false)
    setModel(sessionId, id)
    focusComposer()
  }
  const show = (shown: boolean) => {
    setOpen(shown)
    if (!shown) return
    // A server may have been started since, or an agent installed.
    attempt(call('provider.detect', {}))
    loadAgents()
  }
  return (
    <Popover.Root open={open} onOpenChange={show}>
      <Popover.Trigger className="composer-pick" aria-label={`Model: ${name}`}>
        <span className="ui-cut composer-pick-text">{name}</span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="ui-menu composer-models"
          aria-label="Models"
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <Suspense>
            <ModelList model={model} choose={choose} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
