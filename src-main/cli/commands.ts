import type { CommandSpec, OptionSpec } from '../arguments'
import { nodeCommand } from '../node-agent/command'
import { toolsetNames } from '../toolsets'

const workspace: OptionSpec = { name: 'workspace', value: 'DIR', help: 'Folder to work in (default: the current one)' }
const data: OptionSpec = {
  name: 'data',
  value: 'DIR',
  help: 'Folder for sessions and settings (default: the app’s own)',
}
const toolset: OptionSpec = {
  name: 'toolset',
  value: 'NAME',
  choices: toolsetNames,
  help: `Vocabulary: ${toolsetNames.join(', ')}`,
}
const approve: OptionSpec = {
  name: 'approve',
  value: 'MODE',
  choices: ['ask', 'safe', 'workspace', 'all', 'none'],
  help: 'What runs without asking: ask, safe (default), workspace, all, none (only reads, and nothing is asked)',
}
const sandbox: OptionSpec = {
  name: 'sandbox',
  help: 'Run commands in a sandbox, where ordinary ones need no consent',
}

const places: readonly OptionSpec[] = [
  { name: 'node', value: 'NAME', help: 'Work on this node, which was added before; the window need not be open' },
  { name: 'ssh', value: 'USER@HOST[:PORT]', help: 'Work on this host, in tmux where it is there' },
  { name: 'container', value: 'NAME', help: 'Work in this container; podman:NAME and kubectl:NAME tell the engine' },
  { name: 'tmux', value: 'SESSION', optional: true, help: 'Work in a session of tmux, here or where the others lead' },
]

export const runCommand: CommandSpec = {
  name: 'run',
  summary: 'Runs one turn and prints the answer.',
  operand: 'PROMPT',
  details: [
    'PROMPT may be "-" to read it from standard input. The key of the provider comes from DECKHAND_API_KEY.',
    'What needs your consent is asked on the terminal; without a terminal it is denied.',
    'Exit codes: 0 done, 1 failed, 2 bad usage, 3 stopped at the iteration limit or at a cap, 130 interrupted (143 by SIGTERM).',
  ].join('\n'),
  options: [
    { name: 'json', help: 'Print every event as one JSON object a line' },
    workspace,
    data,
    toolset,
    {
      name: 'provider',
      value: 'KIND',
      choices: ['openai', 'anthropic'],
      help: 'Kind of the model server at --base-url',
    },
    { name: 'base-url', value: 'URL', help: 'Address of the model server' },
    { name: 'model', value: 'NAME', help: 'Name of the model; "guide" is the built-in offline guide' },
    approve,
    sandbox,
    {
      name: 'max-iterations',
      value: 'N',
      integer: { min: 1, max: 1000 },
      help: 'Requests to the model at most (default: 200; 20 for clawft)',
    },
    {
      name: 'max-cost',
      value: 'DOLLARS',
      amount: { max: 1_000_000 },
      help: 'End before a request that could make this run cost more; 200,000 tokens without a price count as $1',
    },
    {
      name: 'max-tokens',
      value: 'N',
      integer: { min: 1, max: 1_000_000_000_000 },
      help: 'The same in tokens; with --max-cost, for models without a price only',
    },
    ...places,
    { name: 'session', value: 'ID', help: 'Go on with this session' },
    { name: 'continue', help: 'Go on with the latest session of this workspace' },
  ],
}

export const toolsCommand: CommandSpec = {
  name: 'tools',
  summary: 'Prints the tools of a vocabulary as a model gets them.',
  options: [
    toolset,
    { name: 'subagent', help: 'The tools that a sub-agent gets' },
    workspace,
    data,
    ...places,
    { name: 'json', help: 'The definitions as JSON' },
  ],
}

export const callCommand: CommandSpec = {
  name: 'call',
  summary: 'Makes tool calls that it reads from standard input, one JSON object a line.',
  details: [
    'In:  {"id":1,"tool":"Bash","args":{"command":"ls"}}; args may also be a string of raw JSON.',
    'Out: {"id":1,"content":[…],"isError":false,"error":null}, in the order of the calls.',
    'A call that would ask is refused with the kind PermissionDenied and the reason.',
  ].join('\n'),
  options: [toolset, workspace, data, approve, sandbox, ...places],
}

export const undoCommand: CommandSpec = {
  name: 'undo',
  summary: 'Lists what a session changed, or takes one of its changes back.',
  operand: 'NUMBER',
  details: [
    'Without NUMBER it lists what each command and edit of the latest session here did to files, the latest first.',
    'With it, it shows what undoing that one would do now, and does it once you have agreed.',
    'Exit codes: 0 all done, 1 something was left as it is, 2 bad usage.',
  ].join('\n'),
  options: [
    workspace,
    data,
    { name: 'session', value: 'ID', help: 'The changes of this session' },
    { name: 'file', value: 'PATH', help: 'Only this file, as the list of files names it' },
    { name: 'redo', help: 'Bring back what was undone' },
    { name: 'force', help: 'Also undo files that were changed since; --redo brings back what was there' },
    { name: 'yes', help: 'Do it without asking' },
  ],
}

export const usageCommand: CommandSpec = {
  name: 'usage',
  summary: 'Prints what models have used and cost.',
  details: [
    'Without options: this month, by day. Sub-agents count towards their session.',
    'A cost of “unknown” means that the price is not known: set it in the settings of the window, under Models.',
  ].join('\n'),
  options: [
    { name: 'by', value: 'WHAT', choices: ['day', 'model', 'session'], help: 'day (default), model or session' },
    { name: 'from', value: 'DAY', help: 'First day, such as 2026-11-01 (default: the first of this month)' },
    { name: 'to', value: 'DAY', help: 'Last day (default: today)' },
    data,
    { name: 'json', help: 'All three lists as JSON' },
  ],
}

export const recoverCommand: CommandSpec = {
  name: 'recover',
  summary: 'Brings back from the last backup what is missing in the database.',
  details: [
    'A damaged database is noticed at every start: what can be read of it is saved, and the file is kept aside.',
    'This tells what the last daily backup has besides, and adds it with --yes. What is there already stays as it is.',
  ].join('\n'),
  options: [data, { name: 'yes', help: 'Add it' }],
}

export const gatewayCommand: CommandSpec = {
  name: 'gateway',
  summary: 'Serves other machines without a window.',
  details: [
    'It listens on this machine only unless --host says otherwise. With --add it makes a token for one node and shows',
    'the command to run there; without it, nodes may come with --token, or with a random one that it shows.',
  ].join('\n'),
  options: [
    data,
    { name: 'host', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    {
      name: 'port',
      value: 'N',
      integer: { min: 0, max: 65535 },
      help: 'Port (default: any free one, then the same again)',
    },
    { name: 'token', value: 'T', help: 'Token for all nodes; better in DECKHAND_GATEWAY_TOKEN' },
    { name: 'add', value: 'ID', help: 'Make a token for this node and show its command' },
  ],
}

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  summary: 'Lists, adds, removes and trusts MCP servers.',
  operand: 'list|add|remove|trust …',
  details: [
    'mcp list                          Starts each server and shows its state and its tools.',
    'mcp add NAME -- COMMAND [ARGS…]   Adds a server that is a program of this machine.',
    'mcp add NAME --url URL            Adds a server at an address. Both try it at once.',
    'mcp remove NAME                   Removes it, with what was allowed to its tools.',
    'mcp trust                         Shows what the .mcp.json of the workspace would start, and trusts it once you agree.',
    'Exit codes: 0 done, 1 a server cannot be used or you did not agree, 2 bad usage.',
  ].join('\n'),
  options: [
    { name: 'url', value: 'URL', help: 'Address of the server' },
    { name: 'env', value: 'NAME=VALUE', repeat: true, help: 'Variable for the program; may be given several times' },
    { name: 'header', value: 'NAME=VALUE', repeat: true, help: 'Header for the address; may be given several times' },
    workspace,
    data,
    { name: 'json', help: 'The list as JSON' },
    { name: 'yes', help: 'Trust without asking' },
  ],
}

export const commands: readonly CommandSpec[] = [
  runCommand,
  undoCommand,
  usageCommand,
  recoverCommand,
  toolsCommand,
  callCommand,
  mcpCommand,
  gatewayCommand,
  nodeCommand,
]

export const overview = (): string =>
  [
    'Deckhand: an agent that you can watch, without its window.',
    '',
    'Usage: deckhand COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(8)} ${command.summary}`),
    '',
    'deckhand COMMAND --help tells more. The window is started by: npm start',
    '',
  ].join('\n')
