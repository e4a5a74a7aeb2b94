import { PanelRightClose } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { focusQuestion } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, IconButton } from '../ui'

/** A question that the deck covers while the user types in it. */
function WaitingBelow() {
  const id = useDeckhand(
    ({ questions, selectedId }) =>
      Object.values(questions).find(({ question }) => selectedId !== null && question.ancestry.includes(selectedId))
        ?.question.id,
  )
  if (!id) return null
  return (
    <div className="ui-row layout-drawer-asks" role="status">
      The agent is waiting for your answer.
      <Button kind="quiet" onClick={() => focusQuestion(id)}>
        Show
      </Button>
    </div>
  )
}

/** The deck in a narrow window: slides over the chat from the right, and closes on a click beside it. */
export function Drawer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <div className="ui-scrim layout-drawer-scrim" onPointerDown={onClose} />
        <Dialog.Content
          className="layout-drawer"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => event.preventDefault()}
          // Escape belongs to the program in the terminal, if the focus is there.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.closest('.xterm')) event.preventDefault()
          }}
        >
          <Dialog.Title className="sr-only">Deck</Dialog.Title>
          <IconButton
            className="layout-drawer-close"
            label="Close the deck"
            shortcut="toggle-deck"
            side="left"
            icon={<PanelRightClose size={16} />}
            onClick={onClose}
          />
          <WaitingBelow />
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
