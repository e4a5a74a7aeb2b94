import type { CommandSpec } from '../arguments'

/** `deckhand node` is separate from the other commands because it also runs where only Node is installed. */
export const nodeCommand: CommandSpec = {
  name: 'node',
  summary: 'Lends the tools of this machine to a Deckhand elsewhere.',
  details: [
    'Add the machine on the Nodes page of the app, or with "deckhand gateway"; both show the whole command.',
    'The token may also come from DECKHAND_NODE_TOKEN, which other users of this machine cannot see.',
    'Commands run with the rights of whoever started the node. It ends with Ctrl-C, and its processes with it.',
  ].join('\n'),
  options: [
    {
      name: 'gateway',
      value: 'URL',
      help: 'Where the other Deckhand listens: wss://host:port, or ws:// on this machine',
    },
    { name: 'token', value: 'T', help: 'What lets this node in' },
    { name: 'pin', value: 'PIN', help: 'What the certificate of the gateway is known by, as its Nodes page shows it' },
    { name: 'id', value: 'ID', help: 'Its name there (default: node- and the host name)' },
    { name: 'workspace', value: 'DIR', help: 'Folder in which relative paths start (default: the current one)' },
    {
      name: 'role',
      value: 'ROLE',
      choices: ['execution', 'specialized'],
      help: 'execution (default) may become the main host; specialized never does',
    },
    { name: 'data', value: 'DIR', help: 'Folder for its key and log (default: ~/.deckhand/nodes/ID)' },
    { name: 'install-unit', help: 'Write a systemd user unit that starts this node, and say how to switch it on' },
    { name: 'quiet', help: 'Say nothing on the terminal; the log has it all' },
  ],
}
