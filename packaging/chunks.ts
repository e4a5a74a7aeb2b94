/** What of the bundler's module graph is looked at. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

interface Division {
  /** What it imports is divided; all else is left to the bundler. */
  whole: string
  entries: Readonly<Record<string, string>>
  /** The entry of commands that are loaded when they are called, some of them without `whole`. */
  commands?: string
}

/**
 * Divides what a window has to wait for into a few files; the bundler's own eighty took a sixth of the start to find and
 * read. Modules are in one file if the same entries load them at once, so that a small process stays small. One without
 * such an entry is in `engine`, or in `commands` if a command without an engine needs it. Whoever needs a module needs
 * what it imports, so no two files import each other.
 */
export function fewFiles(division: Division): (id: string, graph: Graph) => string | null {
  let names: Map<string, string> | undefined
  return (id, graph) => {
    names ??= fileNames(division, graph)
    return names.get(id) ?? null
  }
}

function fileNames({ whole, entries, commands }: Division, graph: Graph): Map<string, string> {
  const imports = (id: string): readonly string[] => graph.getModuleInfo(id)?.importedIds ?? []
  const later = (id: string): readonly string[] => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []
  const withoutEngine = (id: string): boolean => !reached(id, imports).has(whole)
  const atOnce = Object.entries(entries).map(([name, entry]) => ({ name, ids: reached(entry, imports) }))
  const inCommands =
    commands === undefined ? undefined : reached(commands, (id) => [...imports(id), ...later(id)].filter(withoutEngine))
  const names = new Map<string, string>()
  for (const id of reached(whole, imports)) {
    const users = atOnce.filter(({ ids }) => ids.has(id)).map(({ name }) => name)
    names.set(id, users.join('+') || (inCommands?.has(id) ? 'commands' : 'engine'))
  }
  return names
}

function reached(from: string, next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set([from])
  for (const id of seen) for (const each of next(id)) seen.add(each)
  return seen
}
