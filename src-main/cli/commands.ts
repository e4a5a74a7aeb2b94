import type { CommandSpec, OptionSpec } from '../arguments'
import { nodeCommand } from '../node-agent/command'
import { isInstalled } from '../own-process'
import { toolsetNames } from '../toolsets/names'

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
  help: `Set of tool names: ${toolsetNames.join(', ')}`,
}
const approve: OptionSpec = {
  name: 'approve',
  value: 'MODE',
  choices: ['ask', 'safe', 'workspace', 'all', 'none'],
  help: 'What runs without asking: ask (nothing), safe (reads; the default), workspace, all, none (reads only, never asks)',
}
const sandbox: OptionSpec = {
  name: 'sandbox',
  help: 'Run commands in a sandbox, where ordinary commands need no approval',
}

const places: readonly OptionSpec[] = [
  { name: 'node', value: 'NAME', help: 'Work on this node, which you added before (the window need not be open)' },
  { name: 'ssh', value: 'USER@HOST[:PORT]', help: 'Work on this host over SSH, in tmux if it is installed there' },
  {
    name: 'container',
    value: 'NAME',
    help: 'Work in this container; use podman:NAME or kubectl:NAME to choose the engine',
  },
  { name: 'wsl', value: 'NAME', help: 'Work in this Linux distribution of Windows (WSL)' },
  {
    name: 'tmux',
    value: 'SESSION',
    optional: true,
    help: 'Work in a tmux session, on this machine or on the chosen host or container',
  },
]

export const runCommand: CommandSpec = {
  name: 'run',
  summary: 'Runs one turn and prints the answer.',
  operand: 'PROMPT',
  details: [
    'Use "-" as PROMPT to read it from standard input. The API key is read from DECKHAND_API_KEY.',
    'Approvals are asked for in the terminal; without a terminal they are denied.',
    'Exit codes: 0 done, 1 failed, 2 bad usage, 3 stopped at the step limit or at a cap, 130 interrupted (143 by SIGTERM).',
  ].join('\n'),
  options: [
    { name: 'json', help: 'Print every event as JSON, one object per line' },
    workspace,
    data,
    toolset,
    {
      name: 'provider',
      value: 'KIND',
      choices: ['openai', 'anthropic'],
      help: 'API type of the server at --base-url',
    },
    { name: 'base-url', value: 'URL', help: 'Base URL of the model server' },
    { name: 'model', value: 'NAME', help: 'Name of the model; "guide" is the built-in offline guide' },
    {
      name: 'agent',
      value: 'NAME',
      help: 'Have another agent play the turn, by its name or its whole command; deckhand agents lists them',
    },
    { name: 'sign-in', value: 'METHOD', help: 'With --agent: the way to sign in, where the agent wants one' },
    approve,
    { name: 'plan', help: 'Only read, print a plan and end; approve the plan in the window' },
    sandbox,
    {
      name: 'worktree',
      value: 'NAME',
      optional: true,
      help: 'Work on a branch and in a folder of its own, made with git worktree',
    },
    {
      name: 'max-iterations',
      value: 'N',
      integer: { min: 1, max: 1000 },
      help: 'Maximum number of model requests (default: 200; 20 for clawft)',
    },
    {
      name: 'max-cost',
      value: 'DOLLARS',
      amount: { max: 1_000_000 },
      help: 'Stop before a request that could exceed this cost; 200,000 tokens of unknown price count as $1',
    },
    {
      name: 'max-tokens',
      value: 'N',
      integer: { min: 1, max: 1_000_000_000_000 },
      help: 'The same in tokens; with --max-cost, only for models of unknown price',
    },
    ...places,
    { name: 'session', value: 'ID', help: 'Continue this session' },
    { name: 'continue', help: 'Continue the latest session in this workspace' },
  ],
}

export const agentsCommand: CommandSpec = {
  name: 'agents',
  summary: 'Lists the agents of other makers that can play a session here.',
  details: [
    'They speak the Agent Client Protocol. Looked for on PATH and in the folders that installers use; others are added',
    'in settings.json: "agent_servers": {"NAME": {"command": "…", "args": [], "env": {}}}.',
    'deckhand run --agent NAME "…" plays a turn of one.',
  ].join('\n'),
  options: [
    data,
    { name: 'all', help: 'Also those that are known but were not found' },
    { name: 'json', help: 'As JSON' },
  ],
}

export const acpCommand: CommandSpec = {
  name: 'acp',
  summary: 'Serves Deckhand as an agent to editors, by the Agent Client Protocol.',
  details: 'It speaks over standard input and output. The key of the provider comes from DECKHAND_API_KEY.',
  options: [data, approve, sandbox],
}

export const toolsCommand: CommandSpec = {
  name: 'tools',
  summary: 'Prints the tools as a model sees them.',
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
  summary: 'Runs tool calls from standard input, one JSON object per line.',
  details: [
    'In:  {"id":1,"tool":"Bash","args":{"command":"ls"}}; args may also be a string of raw JSON.',
    'Out: {"id":1,"content":[…],"isError":false,"error":null}, in the order of the calls.',
    'A call that needs approval is refused with the kind PermissionDenied and the reason.',
  ].join('\n'),
  options: [toolset, workspace, data, approve, sandbox, ...places],
}

export const gateCommand: CommandSpec = {
  name: 'gate',
  summary: 'Answers a hook of Claude Code or Codex with the decision of Deckhand.',
  details: [
    'Reads the hook (PreToolUse or PermissionRequest) from standard input and prints the answer in the agent’s own form.',
    'What has to be asked waits in the inbox of the open window; without a window, or with --approve, the agent asks itself.',
  ].join('\n'),
  options: [data, approve],
}

export const undoCommand: CommandSpec = {
  name: 'undo',
  summary: 'Lists what a session changed, or undoes one of its changes.',
  operand: 'NUMBER',
  details: [
    'Without NUMBER: lists what each command and edit of the latest session in this folder did to files, newest first.',
    'With NUMBER: shows what undoing that change would do, and does it after you confirm.',
    'Exit codes: 0 all done, 1 something was left unchanged, 2 bad usage.',
  ].join('\n'),
  options: [
    workspace,
    data,
    { name: 'session', value: 'ID', help: 'The changes of this session' },
    { name: 'file', value: 'PATH', help: 'Only this file, by its name in the list' },
    { name: 'redo', help: 'Redo what was undone' },
    { name: 'force', help: 'Also undo files that changed later; --redo restores them' },
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
    {
      name: 'from',
      value: 'DAY',
      help: 'First day, such as 2026-11-01 (default: the first of the month of the last day)',
    },
    { name: 'to', value: 'DAY', help: 'Last day (default: today)' },
    data,
    { name: 'json', help: 'All three lists as JSON' },
  ],
}

export const recoverCommand: CommandSpec = {
  name: 'recover',
  summary: 'Restores what is missing in the database from the last backup.',
  details: [
    'A damaged database is detected at every start: what can be read is saved, and the damaged file is kept.',
    'This shows what else the last daily backup contains, and restores it with --yes. Existing data stays as it is.',
  ].join('\n'),
  options: [data, { name: 'yes', help: 'Restore it' }],
}

export const gatewayCommand: CommandSpec = {
  name: 'gateway',
  summary: 'Accepts connections from other machines, without a window.',
  details: [
    'Listens on this machine only, unless you set --host; what other machines can reach is encrypted. With --add it creates a token for one node and shows',
    'the command to run there; otherwise nodes connect with --token, or with a random token that it shows.',
  ].join('\n'),
  options: [
    data,
    { name: 'host', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    {
      name: 'port',
      value: 'N',
      integer: { min: 0, max: 65535 },
      help: 'Port (default: a free port, kept for next time)',
    },
    {
      name: 'certificate',
      value: 'FILE',
      help: 'Your own certificate in PEM form (default: one that is made and pinned)',
    },
    { name: 'key', value: 'FILE', help: 'Its key in PEM form (default: in the same file)' },
    { name: 'token', value: 'T', help: 'Token for all nodes (safer in DECKHAND_GATEWAY_TOKEN)' },
    { name: 'add', value: 'ID', help: 'Create a token for this node and show its command' },
  ],
}

export const importCommand: CommandSpec = {
  name: 'import',
  summary: 'Imports what Claude Code, Codex, opencode, Gemini and VS Code have on this machine.',
  details: [
    'It lists what it finds with what each becomes here and what cannot be carried over, and asks before it imports.',
    'Rules and hooks are imported only with --take. Nothing is ever written back to the other programs.',
    'Exit codes: 0 done, 1 something could not be imported or you declined, 2 bad usage.',
  ].join('\n'),
  options: [
    { name: 'dry-run', help: 'Only show what was found' },
    { name: 'json', help: 'What was found, and what was done, as JSON' },
    { name: 'from', value: 'HOME', help: 'Look in this home folder (default: yours)' },
    { name: 'take', value: 'IDS', help: 'Ids from the list, separated by commas, or "all"' },
    { name: 'yes', help: 'Import without asking' },
    data,
  ],
}

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  summary: 'Serves our tools over MCP; lists, adds, removes and trusts MCP servers.',
  operand: '[serve|list|add|remove|trust …]',
  details: [
    'mcp                               Serves our tools to the program that starts it, on standard input and output:',
    '                                  through the window where it runs, so that you see and approve what is called,',
    '                                  and otherwise by itself with --approve. mcp serve is the same.',
    'mcp list                          Starts each server and shows its state and tools.',
    'mcp add NAME -- COMMAND [ARGS…]   Adds a server that runs as a program on this machine.',
    'mcp add NAME --url URL            Adds a server by URL. Both test it right away.',
    'mcp remove NAME                   Removes it and its permissions.',
    'mcp trust                         Shows what .mcp.json in the workspace would start, and trusts it after you confirm.',
    'Exit codes: 0 done, 1 a server failed or you declined, 2 bad usage.',
  ].join('\n'),
  options: [
    { name: 'url', value: 'URL', help: 'URL of the server' },
    { name: 'env', value: 'NAME=VALUE', repeat: true, help: 'Environment variable for the program; can be repeated' },
    { name: 'header', value: 'NAME=VALUE', repeat: true, help: 'HTTP header for the URL; can be repeated' },
    workspace,
    data,
    { name: 'json', help: 'The list as JSON' },
    { name: 'yes', help: 'Trust without asking' },
    { ...approve, help: `Serving without a window: ${approve.help.charAt(0).toLowerCase()}${approve.help.slice(1)}` },
    sandbox,
    toolset,
    { name: 'session', value: 'ID', help: 'Serving: make the calls in this session' },
  ],
}

export const completionsCommand: CommandSpec = {
  name: 'completions',
  summary: 'Prints what a shell needs to complete the words of deckhand.',
  operand: 'bash|zsh|fish',
  details: 'An installed package brings them along. Else, for bash: source <(deckhand completions bash)',
  options: [],
}

export const manualCommand: CommandSpec = {
  name: 'manual',
  summary: 'Prints the manual page: deckhand manual | man -l -',
  options: [],
}

export const commands: readonly CommandSpec[] = [
  runCommand,
  undoCommand,
  usageCommand,
  recoverCommand,
  toolsCommand,
  callCommand,
  gateCommand,
  agentsCommand,
  acpCommand,
  mcpCommand,
  importCommand,
  gatewayCommand,
  nodeCommand,
  completionsCommand,
  manualCommand,
]

export const overview = (): string =>
  [
    'Deckhand: an agent that you can watch, on the command line.',
    '',
    'Usage: deckhand COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(12)} ${command.summary}`),
    '',
    `Run deckhand COMMAND --help for details. To open the window: ${isInstalled() ? 'deckhand' : 'npm start'}`,
    '',
  ].join('\n')
