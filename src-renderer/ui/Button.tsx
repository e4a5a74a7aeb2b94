import type { ComponentProps, ReactNode } from 'react'
import type { ShortcutId } from '../state/shortcuts'
import { Kbd } from './Kbd'
import { Tooltip } from './Tooltip'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind
  /** Shown inside the button; the part of the window that owns the button listens for it. */
  shortcut?: ShortcutId
  icon?: ReactNode
}

export function Button({ kind = 'plain', shortcut, icon, className = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={`ui-button ui-button-${kind} ${className}`}>
      {icon}
      {children}
      {shortcut && <Kbd id={shortcut} />}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name, and the tooltip. */
  label: string
  icon: ReactNode
  shortcut?: ShortcutId
  kind?: 'quiet' | 'primary' | 'danger'
  side?: 'top' | 'right' | 'bottom' | 'left'
}

export function IconButton({ label, icon, shortcut, kind = 'quiet', side, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} {...(side ? { side } : {})}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={`ui-icon-button ui-icon-button-${kind} ${className}`}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
