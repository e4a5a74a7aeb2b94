import { z } from 'zod'
import type { ToolErrorKind } from '../../../src-preload/contract/tool-calls'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { createCapturePane } from '../../tools/terminals/capture-pane'
import { textContent } from '../../tools/text-content'
import type { RenderedFailure, Tool, Toolset } from '../../tools/tool'
import type { ToolsetDeps } from '../deps'
import { createBuddyRead, createBuddyWrite } from './files'
import { createSendKeys } from './send-keys'
import { createRunShell } from './shell'
import { createBuddyTime } from './time'
import { createBuddySearch, createFetchUrl } from './web'

const texts = z.array(z.string()).default([]).catch([])

const flag = (otherwise: boolean) => z.boolean().default(otherwise).catch(otherwise)

const shape = z.object({
  shell_enabled: flag(true),
  files_enabled: flag(true),
  fetch_enabled: flag(true),
  search_enabled: flag(true),
  time_enabled: flag(true),
  /** The gate asks about risky commands anyway; this makes it ask about all. An invalid value counts as true. */
  shell_confirm: z.boolean().default(false).catch(true),
  shell_denylist: texts,
  fetch_allowed_domains: texts,
  fetch_blocked_domains: texts,
})

/** Enough for 8000 characters of any kind, twice. */
const maxResultBytes = 64 * 1024

/** A tool with its name, and when it is available. */
export interface Registration {
  name: string
  tool: Tool
  when?(settings: BuddySettings, machine: ShellNode): boolean
}

/** The buddy vocabulary: eight tools with plain text results. More can be registered after them. */
export function createBuddyToolset(deps: ToolsetDeps, more: readonly Registration[] = []): Toolset {
  const settings = (): BuddySettings => readBuddySettings(deps.toolSettings())
  const { machine } = deps
  const registered = [...builtIns(deps, settings, machine), ...more]
  const tools = (): Map<string, Tool> => {
    const [set, place] = [settings(), machine()]
    const there = registered.filter(({ when }) => when?.(set, place) ?? true)
    return new Map(there.map(({ name, tool }) => [name, tool]))
  }
  return {
    name: 'buddy',
    get tools() {
      return tools()
    },
    maxResultBytes,
    renderFailure: (failure) => failure.content ?? textContent(failureWords(failure, tools().has(failure.name))),
  }
}

function builtIns(deps: ToolsetDeps, settings: () => BuddySettings, machine: () => ShellNode): Registration[] {
  const { table, clock, node, watched, taint } = deps
  const web = { web: deps.web, taint }
  const confirm = () => settings().shell_confirm
  const denied = () => settings().shell_denylist
  const has = (name: string, tool: Tool, when?: Registration['when']): Registration => ({
    name,
    tool,
    when,
  })
  return [
    has('run_shell', createRunShell({ table, machine, watched, confirm, denied }), (set) => set.shell_enabled),
    has('read_file', createBuddyRead(machine), (set) => set.files_enabled),
    has('write_file', createBuddyWrite(machine), (set) => set.files_enabled),
    has('fetch_url', createFetchUrl({ ...web, domains: settings }), (set) => set.fetch_enabled),
    has('web_search', createBuddySearch(web), (set) => set.search_enabled),
    has('capture-pane', createCapturePane(machine), (_, { hasPane }) => hasPane),
    // If commands may not be run, they may not be typed either.
    has('send-keys', createSendKeys(machine), (set, { hasPane }) => set.shell_enabled && hasPane),
    has('time', createBuddyTime(node, clock), (set) => set.time_enabled),
  ]
}

const kinds: Partial<Record<ToolErrorKind, string>> = { InvalidArgs: 'invalid arguments' }

function failureWords({ name, kind, message, denied }: RenderedFailure, registered: boolean): string {
  if (denied && name === 'run_shell')
    return `Command execution denied by user.${denied.note ? ` They say: ${denied.note}` : ''}`
  const said = registered || kind !== 'NotFound' ? message : `unknown tool: ${name}`
  return `Tool error: ${kinds[kind] ?? 'execution failed'}: ${said}`
}

/** The section `[tools]` in buddy's documentation. Other keys of the section are not buddy's. */
type BuddySettings = z.infer<typeof shape>

function readBuddySettings(section: unknown): BuddySettings {
  const read = shape.safeParse(section ?? {})
  return read.success ? read.data : shape.parse({})
}
