import { type ImportItem, type ImportKind, type ImportTool, importTools } from '../../src-preload/contract/moving-in'
import { namesIn } from '../state/names-in'

export const toolNames: Record<ImportTool, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  gemini: 'Gemini CLI',
  vscode: 'VS Code',
}

export const kindNames: Record<ImportKind, string> = {
  mcp: 'MCP servers',
  rule: 'Permission rules',
  command: 'Slash commands',
  skill: 'Skills',
  instructions: 'Instructions',
  hook: 'Hooks',
  session: 'Sessions',
}

export const stateWords: Record<Exclude<ImportItem['state'], 'ready'>, string> = {
  used: 'already works',
  taken: 'imported',
  not: 'not imported',
}

/** Ticked by default, except what lets something run without asking. */
export const preset = ({ state, kind }: ImportItem): boolean => state === 'ready' && kind !== 'rule' && kind !== 'hook'

interface ToolGroup {
  tool: ImportTool
  kinds: { kind: ImportKind; items: ImportItem[] }[]
}

/** By program, then by kind, with importable items first. */
export const groupsOf = (items: readonly ImportItem[]): ToolGroup[] =>
  importTools.flatMap((tool) => {
    const own = items.filter((item) => item.tool === tool)
    const kinds = namesIn(kindNames).flatMap((kind) => {
      const these = own.filter((item) => item.kind === kind)
      const ordered = [
        ...these.filter(({ state }) => state === 'ready'),
        ...these.filter(({ state }) => state !== 'ready'),
      ]
      return ordered.length > 0 ? [{ kind, items: ordered }] : []
    })
    return kinds.length > 0 ? [{ tool, kinds }] : []
  })

/** `Claude Code, Codex and Gemini CLI`. */
export function toolList(tools: readonly ImportTool[]): string {
  const names = tools.map((tool) => toolNames[tool])
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
