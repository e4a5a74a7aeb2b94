import { version } from '../package.json'
import { type CommandSpec, helpFor, type Parsed, parseArguments, UsageError } from './arguments'
import {
  acpCommand,
  agentsCommand,
  callCommand,
  commands,
  completionsCommand,
  gateCommand,
  gatewayCommand,
  importCommand,
  manualCommand,
  mcpCommand,
  overview,
  recoverCommand,
  runCommand,
  toolsCommand,
  undoCommand,
  usageCommand,
} from './cli/commands'
import { dataDirOf, keepCompiledCode } from './cli/data-dir'
import { listenForStop, type Stopping } from './cli/stopping'
import { nearest } from './nearest'
import { nodeCommand } from './node-agent/command'
import { inWords, StorageError } from './storage/storage-error'

/** The headless entry: picks the command, loads only what that one needs, and turns its answer into an exit code. */

type Command = (options: Map<string, string>, operands: string[], stopping: Stopping) => Promise<number>

const loaders = new Map<string, { spec: CommandSpec; load: () => Promise<Command> }>([
  ['run', { spec: runCommand, load: async () => (await import('./cli/run')).run }],
  ['undo', { spec: undoCommand, load: async () => (await import('./cli/undo')).undo }],
  ['usage', { spec: usageCommand, load: async () => (await import('./cli/usage')).usage }],
  ['recover', { spec: recoverCommand, load: async () => (await import('./cli/recover')).recover }],
  ['tools', { spec: toolsCommand, load: async () => (await import('./cli/tools')).tools }],
  ['acp', { spec: acpCommand, load: async () => (await import('./cli/acp')).acp }],
  ['agents', { spec: agentsCommand, load: async () => (await import('./cli/agents')).agents }],
  ['gate', { spec: gateCommand, load: async () => (await import('./cli/gate')).gate }],
  ['gateway', { spec: gatewayCommand, load: async () => (await import('./cli/gateway')).gateway }],
  ['mcp', { spec: mcpCommand, load: async () => (await import('./cli/mcp')).mcp }],
  ['import', { spec: importCommand, load: async () => (await import('./cli/import')).importFrom }],
  ['node', { spec: nodeCommand, load: async () => (await import('./cli/node')).node }],
  ['completions', { spec: completionsCommand, load: async () => (await import('./cli/print-files')).completions }],
  ['manual', { spec: manualCommand, load: async () => (await import('./cli/print-files')).manual }],
  ['call', { spec: callCommand, load: async () => (await import('./cli/call')).call }],
])

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words
  if (!name || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(overview())
    return name ? 0 : 2
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`)
    return 0
  }
  const command = loaders.get(name)
  if (!command) {
    const [near] = nearest(
      name,
      commands.map((spec) => spec.name),
      1,
    )
    throw new UsageError(`unknown command ${name}${near ? `; did you mean ${near}?` : ''}`)
  }
  const parsed: Parsed = parseArguments(command.spec, rest)
  if (parsed.help) {
    process.stdout.write(helpFor(command.spec))
    return 0
  }
  if (command.spec.options.some(({ name }) => name === 'data')) keepCompiledCode(dataDirOf(parsed.options))
  const execute = await command.load()
  return execute(parsed.options, parsed.operands, stopping)
}

const wordsFor = (thrown: unknown): string => {
  const error = inWords(thrown, 'the data folder')
  if (error instanceof StorageError) return `${error.message} ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}

// A fault outside of what the command waits for. A trace of packed code helps nobody.
process.on('uncaughtException', (error) => {
  // What could not be saved in passing is no reason to end what runs.
  if (error instanceof StorageError) {
    process.stderr.write(`deckhand: ${wordsFor(error)}\n`)
    return
  }
  process.stderr.write(`deckhand: Something went wrong inside Deckhand: ${wordsFor(error)}\n`)
  process.exit(1)
})

/** What a shell says of a program that wrote into a pipe which nobody reads. */
const readerGone = 141

const stopping = listenForStop(finish)

// Whoever read the output may have left, as `head` does, or the disk be full. What runs is then ended as by a signal.
let outputTrouble: NodeJS.ErrnoException | null = null
process.stdout.on('error', (error) => {
  if (outputTrouble) return
  outputTrouble = error
  stopping.stop('SIGTERM')
})
// Without it there is nowhere to say so, and the work itself goes on.
process.stderr.on('error', () => {})

function finish(code: number): void {
  if (outputTrouble && outputTrouble.code !== 'EPIPE')
    process.stderr.write(`deckhand: the output cannot be written: ${outputTrouble.message}\n`)
  const trouble = outputTrouble?.code === 'EPIPE' ? readerGone : 1
  process.exit(outputTrouble ? trouble : code)
}

// A command may wait for what does not hold the process, such as the next attempt to start a server. `finish` ends it.
setInterval(() => {}, 60_000)

main(process.argv.slice(2))
  .catch((error: unknown) => {
    // A signal has ended what the command was waiting for.
    if (stopping.exitCode !== null && error instanceof Error && error.name === 'AbortError') return stopping.exitCode
    const usage = error instanceof UsageError
    process.stderr.write(`deckhand: ${wordsFor(error)}\n`)
    if (usage) process.stderr.write('Run deckhand --help for a list of commands.\n')
    return usage ? 2 : 1
  })
  // A terminal that was left behind, or a socket kept alive, must not hold the process.
  .then((code) => {
    process.exitCode = code
    // Once everything is out, and the trouble with it known.
    process.stdout.write('', () => setImmediate(finish, code))
  })
