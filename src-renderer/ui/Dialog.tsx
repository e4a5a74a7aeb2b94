import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './Button'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** Shows the title only to screen readers, for dialogs whose content already says it. */
  bare?: boolean
  size?: 'small' | 'medium' | 'large'
  children: ReactNode
  /** The buttons at the bottom. */
  actions?: ReactNode
}

/** Focuses the first field, or the dialog itself if there is none, instead of the close button. */
function focusInside(event: Event): void {
  event.preventDefault()
  const content = event.currentTarget
  if (!(content instanceof HTMLElement)) return
  const field = content.querySelector<HTMLElement>('input, textarea, [role="combobox"]')
  ;(field ?? content).focus()
}

/** A dialog above the window that closes with Escape and returns the focus. */
export function Dialog({ open, onClose, title, bare = false, size = 'medium', children, actions }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="ui-scrim" />
        <Radix.Content
          className={`ui-dialog ui-dialog-${size}`}
          aria-describedby={undefined}
          onOpenAutoFocus={focusInside}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <header className="ui-dialog-head">
              <Radix.Title className="ui-dialog-title">{title}</Radix.Title>
              <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
            </header>
          )}
          <div className={bare ? 'ui-dialog-bare' : 'ui-dialog-body'}>{children}</div>
          {actions && <footer className="ui-dialog-foot">{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
