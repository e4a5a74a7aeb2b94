import {
  Ban,
  CircleStop,
  Copy,
  Maximize2,
  Minimize2,
  MoreHorizontal,
  Radar,
  RotateCcw,
  Search,
  Trash2,
} from 'lucide-react'
import { type RefObject, useState } from 'react'
import type { CallInput } from '../../src-preload/contract/ipc'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { call } from '../state/bridge'
import { copyText } from '../state/desktop'
import { focusProcess } from '../state/navigate'
import { attempt } from '../state/toasts'
import { IconButton, Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui'
import { isLive } from './order'
import type { Pane } from './pane'

type Signal = CallInput<'process.signal'>['signal']

const SIGNALS: { signal: Signal; words: string }[] = [
  { signal: 'SIGINT', words: 'Interrupt (Ctrl+C)' },
  { signal: 'SIGTERM', words: 'Terminate' },
  { signal: 'SIGHUP', words: 'Hang up' },
  { signal: 'SIGQUIT', words: 'Quit with core dump' },
  { signal: 'SIGTSTP', words: 'Suspend (Ctrl+Z)' },
  { signal: 'SIGCONT', words: 'Continue' },
  { signal: 'SIGUSR1', words: 'User signal 1' },
  { signal: 'SIGUSR2', words: 'User signal 2' },
]

interface PaneControlsProps {
  process: ProcessInfo
  pane: RefObject<Pane | null>
  maximised: boolean
  onSearch: () => void
  onWatch: () => void
  onMaximise: () => void
}

/** The actions for a process and its pane; visible on hover and on focus. */
export function PaneControls({ process, pane, maximised, onSearch, onWatch, onMaximise }: PaneControlsProps) {
  const [asked, setAsked] = useState(false)
  const live = isLive(process)
  const signal = (name: Signal) => attempt(call('process.signal', { id: process.id, signal: name }))

  // In a shell only a typed Ctrl-C reaches the program in the foreground.
  const interrupt = () => (process.tty && pane.current ? pane.current.interrupt() : signal('SIGINT'))
  const end = () => {
    signal(asked ? 'SIGKILL' : 'SIGTERM')
    setAsked(true)
  }
  const copyAll = () =>
    attempt(call('process.text', { id: process.id }).then((text) => copyText(text, 'Copied all output')))

  const runAgain = () => attempt(call('process.again', { id: process.id }).then(focusProcess))

  return (
    <div className="terminal-controls">
      {live && <IconButton label="Send Ctrl+C" icon={<CircleStop size={14} />} onClick={interrupt} />}
      {live && (
        <IconButton
          label={asked ? 'Still running. Kill now' : 'Stop process'}
          icon={<Ban size={14} />}
          kind="danger"
          onClick={end}
        />
      )}
      <IconButton
        label={maximised ? 'Restore' : 'Maximize'}
        icon={maximised ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
        onClick={onMaximise}
      />
      {!live && process.node === 'local' && (
        <IconButton label="Run again" icon={<RotateCcw size={14} />} onClick={runAgain} />
      )}
      {!live && (
        <IconButton
          label="Close terminal"
          icon={<Trash2 size={14} />}
          onClick={() => attempt(call('process.remove', { id: process.id }))}
        />
      )}
      <Menu
        align="end"
        trigger={
          <button type="button" className="ui-icon-button" aria-label="More actions">
            <MoreHorizontal size={14} />
          </button>
        }
      >
        <MenuItem icon={<Search size={14} />} shortcut="find-in-terminal" onSelect={onSearch}>
          Find
        </MenuItem>
        <MenuItem icon={<Copy size={14} />} onSelect={copyAll}>
          Copy all output
        </MenuItem>
        {process.status === 'running' && (
          <MenuItem icon={<Radar size={14} />} onSelect={onWatch}>
            Notify the agent when…
          </MenuItem>
        )}
        {live && (
          <>
            <MenuSeparator />
            <MenuLabel>Send a signal</MenuLabel>
            {SIGNALS.map(({ signal: name, words }) => (
              <MenuItem key={name} onSelect={() => signal(name)}>
                <SignalWords words={words} name={name} />
              </MenuItem>
            ))}
            <MenuItem danger onSelect={() => signal('SIGKILL')}>
              <SignalWords words="Kill now" name="SIGKILL" />
            </MenuItem>
          </>
        )}
      </Menu>
    </div>
  )
}

const SignalWords = ({ words, name }: { words: string; name: Signal }) => (
  <span className="terminal-signal">
    {words} <code>{name}</code>
  </span>
)
