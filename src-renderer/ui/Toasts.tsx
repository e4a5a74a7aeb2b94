import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useRef } from 'react'
import { useDeckhand } from '../state/store'
import { dismissToast } from '../state/toasts'
import type { Toast } from '../state/view'
import { Button, IconButton } from './Button'
import { useFreePlace } from './use-free-place'

const durationOf = ({ stays, action, kind }: Toast): number => {
  if (stays) return Number.POSITIVE_INFINITY
  return action || kind === 'error' ? 10_000 : 5000
}

/** Short notices about what just happened, with an undo if there is one. Shown by `toast()` of `state/toasts`. */
export function Toasts() {
  const toasts = useDeckhand((state) => state.toasts)
  const list = useRef<HTMLOListElement>(null)
  useFreePlace(list, toasts.length)
  return (
    <Radix.Provider swipeDirection="right" duration={6000}>
      {toasts.map((entry) => (
        <Radix.Root
          key={entry.id}
          className={`ui-toast ui-toast-${entry.kind}`}
          type={entry.kind === 'error' ? 'foreground' : 'background'}
          duration={durationOf(entry)}
          onOpenChange={(open) => !open && dismissToast(entry.id)}
        >
          <Radix.Description className="ui-toast-text">{entry.text}</Radix.Description>
          {entry.action && (
            <Radix.Action asChild altText={entry.action.label}>
              <Button kind="quiet" onClick={entry.action.run}>
                {entry.action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton label="Dismiss" icon={<X size={14} />} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport ref={list} className="ui-toasts" label="Messages ({hotkey})" />
    </Radix.Provider>
  )
}
