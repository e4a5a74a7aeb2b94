import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

/** The deck in a narrow window: over the chat, from the right, closed by a click beside it. */
export function Drawer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <div className="ui-scrim layout-drawer-scrim" onPointerDown={onClose} />
        <Dialog.Content
          className="layout-drawer"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          // Escape belongs to the program in the terminal.
          onEscapeKeyDown={(event) => event.preventDefault()}
        >
          <Dialog.Title className="sr-only">Deck</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
