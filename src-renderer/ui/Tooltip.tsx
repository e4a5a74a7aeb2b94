import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import type { ShortcutId } from '../state/shortcuts'
import { Kbd } from './Kbd'

interface TooltipProps {
  text: ReactNode
  shortcut?: ShortcutId | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that can take focus. */
  children: ReactNode
}

/** A short explanation on hover and focus, with the keys that do the same. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="ui-tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut && <Kbd id={shortcut} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={450} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)
