import type { ComponentProps, ReactNode } from 'react'
import type { ShortcutId } from '../state/shortcuts'
import { Kbd } from './Kbd'
import { Tooltip } from './Tooltip'

type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind
  /** Shown in the button; the part of the window that contains the button listens for it. */
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
  /**
   * For rows of long lists, where a tooltip for each would cost more than the row: uses the system's tooltip instead.
   */
  light?: boolean
  kind?: 'quiet' | 'primary' | 'danger'
  side?: 'top' | 'right' | 'bottom' | 'left'
}

export function IconButton({
  label,
  icon,
  shortcut,
  light = false,
  kind = 'quiet',
  side,
  className = '',
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      title={light ? label : undefined}
      {...rest}
      className={`ui-icon-button ui-icon-button-${kind} ${className}`}
    >
      {icon}
    </button>
  )
  if (light) return button
  return (
    <Tooltip text={label} shortcut={shortcut} {...(side ? { side } : {})}>
      {button}
    </Tooltip>
  )
}
