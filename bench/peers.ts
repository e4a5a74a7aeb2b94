import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program that talks to a model at `address`, makes its turns and ends. */
export interface Agent {
  name: string
  command: string
  args: readonly string[]
  env: Record<string, string>
}

/** Where peers are kept: outside the tree, and installed only by whoever asks for a comparison. */
const folder = join(import.meta.dirname, '../node_modules/.cache/bench-peers')

const packages = {
  goose: `@aaif/goose-binary-${process.platform}-${process.arch}`,
  pi: '@mariozechner/pi-coding-agent',
}

/** The peers that can be had here. `tell` hears of those that cannot. */
export async function findPeers(address: string, home: string, tell: (line: string) => void): Promise<Agent[]> {
  const found: Agent[] = []
  if (await install(packages.goose, tell)) found.push(goose(address))
  if (await install(packages.pi, tell)) found.push(pi(address, home))
  return found
}

function goose(address: string): Agent {
  const env = {
    GOOSE_PROVIDER: 'openai',
    OPENAI_HOST: address,
    OPENAI_API_KEY: 'x',
    GOOSE_MODEL: 'instant',
    GOOSE_MODE: 'auto',
    GOOSE_DISABLE_KEYRING: '1',
  }
  return { name: 'goose', command: program('goose-binary-linux-x64'), args: ['run', '--no-session', '-t', 'go'], env }
}

function pi(address: string, home: string): Agent {
  const models = [{ id: 'instant', name: 'instant', contextWindow: 128_000, maxTokens: 4096 }]
  const provider = { baseUrl: `${address}/v1`, apiKey: 'x', api: 'openai-completions', models }
  mkdirSync(join(home, '.pi/agent'), { recursive: true })
  writeFileSync(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { bench: provider } }))
  return {
    name: 'pi',
    command: program('pi'),
    args: ['-p', '--provider', 'bench', '--model', 'instant', 'go'],
    env: {},
  }
}

const program = (name: string): string => join(folder, 'node_modules/.bin', name)

async function install(name: string, tell: (line: string) => void): Promise<boolean> {
  if (existsSync(join(folder, 'node_modules', name))) return true
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}')
  tell(`Installing ${name} to compare with …`)
  const code = await new Promise<number | null>((done) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', name], {
      cwd: folder,
      stdio: 'ignore',
    })
    child.on('error', () => done(null)).on('exit', done)
  })
  if (code !== 0) tell(`${name} cannot be installed here; its row is left out.`)
  return code === 0
}
