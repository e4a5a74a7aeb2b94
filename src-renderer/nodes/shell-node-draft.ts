import type { BackendPlace } from '../../src-preload/contract/backends'
import { commandWordRule, distributionRule, portRule, tmuxSessionRule } from '../../src-preload/contract/field-rules'
import type { CallInput } from '../../src-preload/contract/ipc'
import { fieldErrors, ifTyped } from '../page/field-errors'
import { nodeNameError } from './node-words'

/** The contents of the form, for all kinds together. */
export interface ShellNodeDraft {
  kind: BackendPlace['kind']
  name: string
  host: string
  port: string
  container: string
  distribution: string
  session: string
  tmux: boolean
}

export const emptyDraft = (kind: ShellNodeDraft['kind']): ShellNodeDraft => ({
  kind,
  name: '',
  host: '',
  port: '',
  container: '',
  distribution: '',
  session: '',
  tmux: false,
})

export function draftErrors({ kind, name, ...draft }: ShellNodeDraft, taken: string[]) {
  const isRemote = kind === 'ssh'
  return fieldErrors({
    name: name.trim() !== '' && nodeNameError(name.trim(), taken),
    host: isRemote && [draft.host.trim(), { ...commandWordRule, words: 'Enter a host, such as me@server' }],
    port: isRemote && ifTyped(draft.port, portRule),
    container: kind === 'container' && [
      draft.container.trim(),
      { ...commandWordRule, words: 'Enter the name of a running container' },
    ],
    distribution: kind === 'wsl' && [draft.distribution.trim(), distributionRule],
    session: kind === 'local' && ifTyped(draft.session, tmuxSessionRule),
  })
}

const engines = ['docker', 'podman', 'kubectl'] as const

/** The machine that a draft without errors describes. */
export function placeOf(draft: ShellNodeDraft): CallInput<'backend.add'>['place'] {
  const { kind, host, port, container, distribution, session, tmux } = draft
  if (kind === 'wsl') return { kind, name: distribution.trim() }
  if (kind === 'ssh') {
    // The port may follow the host, as on the command line.
    const [, name = host.trim(), behind] = /^([^\s:]+):(\d{1,5})$/.exec(host.trim()) ?? []
    const number = port.trim() || behind
    return { kind, host: name, ...(number ? { port: Number(number) } : {}) }
  }
  if (kind === 'container') {
    const [, before, name] = /^(\w+):(.+)$/.exec(container.trim()) ?? []
    const engine = engines.find((each) => each === before)
    return {
      kind,
      name: (engine && name) ?? container.trim(),
      ...(engine ? { engine } : {}),
      ...(tmux ? { tmux: true as const } : {}),
    }
  }
  return { kind, tmux: session.trim() || true }
}
