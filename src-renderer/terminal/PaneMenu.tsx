import { ContextMenu } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { attempt } from '../state/toasts'
import { Kbd } from '../ui'
import type { Pane } from './pane'

interface PaneMenuProps {
  process: ProcessInfo
  pane: RefObject<Pane | null>
  onSearch: () => void
  children: ReactNode
}

/** The context menu of a terminal. */
export function PaneMenu({ process, pane, onSearch, children }: PaneMenuProps) {
  const running = process.status === 'running'
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>
        <div className="terminal-body">{children}</div>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className="ui-menu" onCloseAutoFocus={(event) => event.preventDefault()}>
          <ContextMenu.Item className="ui-menu-item" onSelect={() => pane.current?.copySelection()}>
            <span className="ui-menu-text">Copy</span>
            <Kbd id="terminal-copy" />
          </ContextMenu.Item>
          <ContextMenu.Item
            className="ui-menu-item"
            disabled={!running}
            onSelect={() => attempt(pane.current?.paste() ?? Promise.resolve())}
          >
            <span className="ui-menu-text">Paste</span>
            <Kbd id="terminal-paste" />
          </ContextMenu.Item>
          <ContextMenu.Item className="ui-menu-item" onSelect={() => pane.current?.selectAll()}>
            <span className="ui-menu-text">Select all</span>
          </ContextMenu.Item>
          <ContextMenu.Separator className="ui-menu-separator" />
          <ContextMenu.Item className="ui-menu-item" onSelect={onSearch}>
            <span className="ui-menu-text">Find</span>
            <Kbd id="find-in-terminal" />
          </ContextMenu.Item>
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}
