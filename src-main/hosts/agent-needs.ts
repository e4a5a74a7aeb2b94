import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { AgentLaunch } from './find-agents'
import { type KnownAgent, knownAgents } from './known-agents'

/** What an agent needs of the machine besides the workspace, to be run in a sandbox as a whole. */
interface AgentNeeds {
  /** Hosts it may connect to: those of its model, and those that its own configuration names. */
  hosts: string[]
  /** Ports of this machine where its model is served. */
  ports: number[]
  /** Where it keeps its login and its sessions. */
  writable: string[]
  /** Its own configuration: what is there would run later, outside. */
  frozen: string[]
  /** Its programs. */
  readable: string[]
}

type Env = Readonly<Record<string, string | undefined>>

/** Variables by which people point agents at a model server. */
const addressVariables =
  /^(?:ANTHROPIC_BASE_URL|OPENAI_(?:BASE_URL|API_BASE|HOST)|GOOGLE_GEMINI_BASE_URL|OLLAMA_HOST|AZURE_OPENAI_ENDPOINT|OPENROUTER_HOST)$/
const longestConfig = 1_000_000

const knownAgent = (id: string): KnownAgent | undefined => knownAgents.find((each) => each.id === id)

/** `env`: what the agent is started with. `home`: the user's. */
export function needsOf({ id, argv, env: own }: AgentLaunch, env: Env, home: string): AgentNeeds {
  const { hosts = [], keeps = [], config = [] } = knownAgent(id) ?? {}
  const at = pathsOf(env, env.HOME || home)
  const frozen = config.map(at).filter((path) => existsSync(path))
  const named = Object.entries(env).flatMap(([name, value = '']) =>
    addressVariables.test(name) || Object.hasOwn(own, name) ? addressesIn(value) : [],
  )
  const all = [...named, ...frozen.flatMap((path) => addressesIn(textOf(path)))]
  return {
    hosts: [...new Set([...hosts, ...all.filter(({ local }) => !local).map(({ host }) => host)])],
    ports: [...new Set(all.filter(({ local }) => local).map(({ port }) => port))],
    writable: keeps.map(at),
    frozen,
    readable: programsOf(argv, env, home),
  }
}

/** Makes what the agent would make itself at its first start: only what is there can be opened for it. */
export function makeKept(paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    if (path.endsWith('.json')) writeFileSync(path, '{}\n', { mode: 0o600 })
    else mkdirSync(path, { mode: 0o700 })
  }
}

/** `~/…`, or `$VARIABLE|where that is by default|…`. */
const pathsOf =
  (env: Env, home: string) =>
  (words: string): string => {
    const [, variable, byDefault = '', rest = ''] = /^\$(\w+)\|([^/]*\/[^|]*)\|(.*)$/.exec(words) ?? []
    const inHome = (path: string): string => path.replace(/^~/, home)
    if (variable === undefined) return inHome(words)
    const set = env[variable]
    return join(set && isAbsolute(set) ? set : inHome(byDefault), rest)
  }

function addressesIn(text: string): { host: string; port: number; local: boolean }[] {
  return [...text.matchAll(/\bhttps?:\/\/[\w.[\]:-]+/g)].flatMap(([url]) => {
    const parsed = URL.parse(url)
    if (!parsed) return []
    const host = parsed.hostname.replace(/^\[|\]$/g, '')
    const port = Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80)
    return [{ host, port, local: host === 'localhost' || host === '::1' || host.startsWith('127.') }]
  })
}

function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() && found.size < longestConfig ? readFileSync(path, 'utf8') : ''
}

/** The folders of the program and of what it is started with; a package is taken whole. */
function programsOf(argv: readonly string[], env: Env, home: string): string[] {
  const folders = new Set<string>()
  const around = (path: string): string => {
    const modules = path.indexOf('/node_modules/')
    return modules > 0 ? path.slice(0, modules + '/node_modules'.length) : (packageOf(path) ?? dirname(path))
  }
  const holdsHome = (folder: string): boolean =>
    [home, env.HOME || home].some((each) => `${each}/`.startsWith(`${folder}/`))
  const named = [...argv, ...(env.PATH ?? '').split(delimiter).map((folder) => join(folder, '.'))]
  for (const word of named) {
    if (!isAbsolute(word) || !existsSync(word)) continue
    const isFolder = statSync(word).isDirectory()
    for (const path of [word, realpathSync(word)]) {
      const folder = isFolder ? path.replace(/\/$/, '') : around(path)
      // The home folder holds more than a program.
      if (folder !== '' && !holdsHome(folder)) folders.add(folder)
      else if (!isFolder) folders.add(path)
    }
  }
  return [...folders]
}

/** The folder of the package that a script belongs to, with the modules that it loads. */
function packageOf(path: string): string | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder
  return null
}
