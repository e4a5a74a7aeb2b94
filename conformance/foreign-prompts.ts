interface ForeignPrompt {
  toolset: string
  /** As its author would give it to that system. */
  prompt: string
  /** What a model makes of it there, and how that system answers. */
  steps: { call: string; args: unknown; answers: RegExp }[]
  /** What is in the workspace afterwards. */
  leaves: { file: string; text: string }
}

export const foreignPrompts: ForeignPrompt[] = [
  {
    toolset: 'gsv',
    prompt: [
      'You live in a gateway and have hands on one machine, laptop.',
      'Look at who you are with `gsv__ListFiles`, and write down today’s plan with `gsv__WriteFile`.',
      'Then go to the machine: make notes.txt with `laptop__Write`, correct it with `laptop__Edit`, find it again with',
      '`laptop__Glob` and `laptop__Grep`, and read it with `laptop__Read`. Count its words in the background with',
      '`laptop__Bash` and look after that with `laptop__Process`. See which jobs there are with `gsv__Cron`.',
    ].join('\n'),
    steps: [
      { call: 'gsv__ListFiles', args: {}, answers: /^\{"ok":true,"result":\{.*"files":\[/ },
      {
        call: 'gsv__WriteFile',
        args: { path: 'memory/plan.md', content: 'Count words.\n' },
        answers: /^\{"ok":true,"result":/,
      },
      {
        call: 'laptop__Write',
        args: { path: 'notes.txt', content: 'low water\n' },
        answers: /"bytes":10\b/,
      },
      {
        call: 'laptop__Edit',
        args: { path: 'notes.txt', oldString: 'low', newString: 'high' },
        answers: /"replacements":1\b/,
      },
      { call: 'laptop__Glob', args: { pattern: '*.txt' }, answers: /notes\.txt/ },
      { call: 'laptop__Grep', args: { pattern: 'h.gh' }, answers: /"line":1\b/ },
      { call: 'laptop__Read', args: { path: 'notes.txt' }, answers: /1\\thigh water/ },
      {
        call: 'laptop__Bash',
        args: { command: 'wc -w < notes.txt', background: true },
        answers: /"status":"running".*"sessionId":"/,
      },
      { call: 'laptop__Process', args: { action: 'list' }, answers: /"sessions":\[/ },
      { call: 'gsv__Cron', args: { action: 'list' }, answers: /^\{"ok":true,"result":/ },
    ],
    leaves: { file: 'notes.txt', text: 'high water\n' },
  },
  {
    toolset: 'miclaw',
    prompt: [
      'Keep the log book. Use `write` to begin log.md, `apply_patch` to add the second day, and `edit` to correct the first.',
      'Check it with `read`, `grep`, `glob` and `ls`. With `exec` count its lines; if that takes long, put it into the',
      'background and ask `process`. Look in `memory_search` for what was said about the harbour, and tell me with',
      '`sessions_list` and `cron` what else is going on.',
    ].join('\n'),
    steps: [
      { call: 'write', args: { path: 'log.md', content: 'day one: clam\n' }, answers: /^Wrote 14 bytes to log\.md$/ },
      {
        call: 'apply_patch',
        args: {
          patch: [
            '*** Begin Patch',
            '*** Update File: log.md',
            '@@',
            ' day one: clam',
            '+day two: wind',
            '*** End Patch',
          ].join('\n'),
        },
        answers: /log\.md/,
      },
      { call: 'edit', args: { path: 'log.md', old_text: 'clam', new_text: 'calm' }, answers: /log\.md/ },
      { call: 'read', args: { path: 'log.md', offset: 1, limit: 1 }, answers: /^2\tday two: wind/ },
      { call: 'grep', args: { pattern: 'calm', include: '*.md' }, answers: /^log\.md:1: / },
      { call: 'glob', args: { pattern: '**/*.md' }, answers: /log\.md/ },
      { call: 'ls', args: { path: '.' }, answers: /^file\t28\tlog\.md$/m },
      { call: 'exec', args: { command: 'wc -l < log.md', timeout: 20 }, answers: /^2$/ },
      { call: 'process', args: { action: 'status', process_id: 'nobody' }, answers: /^Error: .*nobody/ },
      { call: 'memory_search', args: { query: 'the harbour' }, answers: /./ },
      { call: 'sessions_list', args: {}, answers: /./ },
      { call: 'cron', args: { action: 'list' }, answers: /./ },
    ],
    leaves: { file: 'log.md', text: 'day one: calm\nday two: wind\n' },
  },
  {
    toolset: 'clawft',
    prompt: [
      'Work only inside the workspace. Create src/port.txt with `write_file`, put it right with `edit_file`, show it with',
      '`read_file` and `list_directory`. Run `exec_shell` for its size and `spawn` for its checksum, without a shell.',
      'Remember with `memory_write` that it is done, and prove it with `memory_read`.',
    ].join('\n'),
    steps: [
      {
        call: 'write_file',
        args: { path: 'src/port.txt', content: 'left\n' },
        answers: /^\{"message":"Successfully wrote 5 bytes to src\/port\.txt"\}$/,
      },
      {
        call: 'edit_file',
        args: { path: 'src/port.txt', old_text: 'left', new_text: 'red' },
        answers: /^\{"message":"/,
      },
      { call: 'read_file', args: { path: 'src/port.txt' }, answers: /^\{"content":"red\\n"\}$/ },
      {
        call: 'list_directory',
        args: { path: 'src' },
        answers: /^\{"entries":\[\{"name":"port\.txt","is_dir":false,"size":4\}\]\}$/,
      },
      {
        call: 'exec_shell',
        args: { command: 'wc -c < src/port.txt', timeout: 20 },
        answers: /^\{"exit_code":0,"stdout":"4\\n","stderr":"","duration_ms":\d+\}$/,
      },
      { call: 'spawn', args: { command: 'cksum', args: ['src/port.txt'] }, answers: /"exit_code":0/ },
      { call: 'memory_write', args: { content: 'The port light is red.' }, answers: /^\{"message":"/ },
      { call: 'memory_read', args: { query: 'port' }, answers: /The port light is red\./ },
    ],
    leaves: { file: 'src/port.txt', text: 'red\n' },
  },
  {
    toolset: 'buddy',
    prompt: [
      'You share a tmux session with me. Note the `time` you begin, put the list into watch.txt with `write_file` and show it',
      'with `read_file`. Count its lines with `run_shell`. Then start the watch without waiting for it, follow it with',
      '`capture-pane`, and answer its question with `send-keys`. Do not use `fetch_url` or `web_search` for this.',
    ].join('\n'),
    steps: [
      { call: 'time', args: { format: 'iso' }, answers: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ },
      {
        call: 'write_file',
        args: { path: 'watch.txt', content: 'first\nsecond\n' },
        answers: /^Wrote 13 bytes to watch\.txt$/,
      },
      { call: 'read_file', args: { path: 'watch.txt' }, answers: /^first\nsecond\n$/ },
      {
        call: 'run_shell',
        args: { command: 'wc -l < watch.txt; echo counted >&2; exit 3', wait: '1m' },
        answers: /^exit code: 3\nstdout:\n2\nstderr:\ncounted$/,
      },
      {
        call: 'run_shell',
        args: { command: 'printf "Relieve the %s? " watch; read it; echo "answer: $it"', wait: false },
        answers: /^command dispatched to tmux pane %\d+$/,
      },
      { call: 'capture-pane', args: { delay: '3s' }, answers: /Relieve the watch\?$/m },
      { call: 'send-keys', args: { literal_text: 'aye', enter: true }, answers: /aye/ },
      { call: 'capture-pane', args: { delay_ms: 3000, join_wrapped_lines: true }, answers: /answer: aye/ },
    ],
    leaves: { file: 'watch.txt', text: 'first\nsecond\n' },
  },
]
