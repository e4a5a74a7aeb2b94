import { createHash } from 'node:crypto'
import type { Action, RuleMatch } from '../../src-preload/contract/approval'
import type { HookInfo } from '../../src-preload/contract/hooks'
import type { McpServerConfig } from '../../src-preload/contract/mcp'
import type { ImportItem, ImportKind, ImportTool } from '../../src-preload/contract/moving-in'

export interface HistoryMessage {
  role: 'user' | 'assistant'
  text: string
}

/** What is written down when a draft is taken. */
export type Carry =
  | { kind: 'mcp'; id: string; config: McpServerConfig }
  | { kind: 'rule'; verdict: 'allow' | 'deny'; action: Action; match: RuleMatch; sentence: string }
  | { kind: 'command'; name: string; text: string }
  | { kind: 'skill'; name: string; folder: string }
  | { kind: 'instructions'; text: string }
  | { kind: 'hook'; hook: HookInfo }
  | { kind: 'session'; source: string; title: string; workspace: string; at: number; read(): Promise<HistoryMessage[]> }

/** Something that another agent has. Without `carry` it is only shown. */
export interface Draft extends ImportItem {
  carry?: Carry
}

interface Wish {
  tool: ImportTool
  kind: ImportKind
  name: string
  from: string
  detail?: string
  note?: string
}

/** Something that can be taken. */
export const ready = (wish: Wish, becomes: string, carry: Carry): Draft => ({
  ...base(wish),
  becomes,
  state: 'ready',
  carry,
})

/** Something that works here without any import. */
export const used = (wish: Wish, becomes: string): Draft => ({ ...base(wish), becomes, state: 'used' })

/** Something that cannot be carried over, and why. */
export const not = (wish: Wish, note: string): Draft => ({ ...base(wish), becomes: '', note, state: 'not' })

const base = ({ tool, kind, name, from, detail = '', note = '' }: Wish) => ({
  id: createHash('sha256')
    .update(JSON.stringify([tool, kind, from, name, detail]))
    .digest('hex')
    .slice(0, 16),
  tool,
  kind,
  name,
  from,
  detail,
  note,
})
