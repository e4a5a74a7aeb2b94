import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import type { ShortcutId } from '../state/shortcuts'
import { Kbd } from './Kbd'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode
  children: ReactNode
  side?: 'top' | 'bottom'
  align?: 'start' | 'end'
  /** For menus whose items have an explanation. */
  wide?: boolean
}

export function Menu({ trigger, children, side = 'bottom', align = 'start', wide = false }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={`ui-menu ${wide ? 'ui-menu-wide' : ''}`}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  onSelect: () => void
  children: ReactNode
  icon?: ReactNode
  hint?: ReactNode
  shortcut?: ShortcutId
  danger?: boolean
  disabled?: boolean
  /** Set for items of which one is selected. */
  checked?: boolean
}

export function MenuItem({ onSelect, children, icon, hint, shortcut, danger, disabled, checked }: MenuItemProps) {
  const className = `ui-menu-item ${danger ? 'ui-menu-item-danger' : ''}`
  const body = (
    <>
      <span className="ui-menu-icon">{checked ? <Check size={14} /> : icon}</span>
      <span className="ui-menu-text">
        <span>{children}</span>
        {hint && <span className="ui-menu-hint">{hint}</span>}
      </span>
      {shortcut && <Kbd id={shortcut} />}
    </>
  )
  if (checked === undefined)
    return (
      <Radix.Item className={className} onSelect={onSelect} disabled={disabled ?? false}>
        {body}
      </Radix.Item>
    )
  return (
    <Radix.CheckboxItem className={className} checked={checked} onSelect={onSelect} disabled={disabled ?? false}>
      {body}
    </Radix.CheckboxItem>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="ui-menu-label">{children}</Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="ui-menu-separator" />
