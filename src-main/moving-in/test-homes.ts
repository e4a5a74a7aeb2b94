import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A home folder with the configuration of each program, written by hand from their documentation. */
export function writeHomes(home: string, workspace: string): void {
  let written = 1_790_000_000
  const write = (path: string, content: string | object): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    // The latest is listed first, and these are written within one tick of the clock.
    utimesSync(join(home, path), ++written, written)
  }
  const lines = (...values: object[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`

  write('.claude.json', {
    numStartups: 3,
    mcpServers: {
      github: { type: 'http', url: 'https://mcp.example/github', headers: { Authorization: 'Bearer hidden-token' } },
      files: { type: 'stdio', command: 'npx', args: ['-y', 'server-files'], env: { LOG: '1', API_KEY: 'hidden-key' } },
    },
    projects: { [workspace]: { mcpServers: { local: { command: 'local-server' } }, allowedTools: [] } },
  })
  write('.claude/settings.json', {
    permissions: {
      allow: [
        'Bash(cargo build:*)',
        'Bash(git status)',
        'Bash',
        'Bash(echo $HOME)',
        'Read(~/notes/**)',
        'Read(./src/**)',
        'WebFetch(domain:docs.example.com)',
        'mcp__github__search',
      ],
      deny: ['Bash(curl:*)', 'Read(~/private.txt)'],
      ask: ['Bash(git push:*)'],
      defaultMode: 'acceptEdits',
    },
    hooks: {
      PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'prettier --write .' }] }],
      PreCompact: [{ hooks: [{ type: 'command', command: 'true' }] }],
    },
  })
  write('.claude/commands/fix.md', 'Fix $ARGUMENTS')
  write('.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: PDFs\n---\nRead them.')
  write('.claude/agents/reviewer.md', 'You review.')
  write('.claude/CLAUDE.md', 'Answer in English.')
  write(
    '.claude/projects/-work-boat/1b2c.jsonl',
    lines(
      { type: 'summary', summary: 'A boat', leafUuid: 'x' },
      { type: 'user', cwd: workspace, sessionId: '1b2c', message: { role: 'user', content: 'Build a boat' } },
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'With oars?' },
            { type: 'tool_use', name: 'Bash', input: {} },
          ],
        },
      },
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'ok' }] } },
      { type: 'user', isMeta: true, message: { role: 'user', content: 'meta' } },
      { type: 'user', message: { role: 'user', content: 'lost' } },
      // The last line of a program that was killed is cut.
    ).slice(0, -6),
  )

  write(
    '.codex/config.toml',
    'model = "gpt-5"\napproval_policy = "on-request"\n[mcp_servers.docs]\ncommand = "docs-server"\nargs = ["--fast"]\n[mcp_servers.docs.env]\nMODE = "x"\n',
  )
  write(
    '.codex/rules/default.rules',
    '# allow it\nprefix_rule(pattern=["cargo", ["test", "check"]], decision="allow")\nprefix_rule(\n    pattern = ["rm", "-rf"],\n    decision = "forbidden",\n)\nprefix_rule(pattern=["gh", "pr", "view"], decision="prompt")\n',
  )
  write('.codex/prompts/review.md', '---\ndescription: Review\nargument-hint: [file]\n---\nReview $1.')
  write('.codex/skills/deploy/SKILL.md', '---\nname: deploy\ndescription: Deploying\n---\nPush the button.')
  write('.codex/AGENTS.md', 'Use pnpm.')
  write(
    '.codex/sessions/2026/11/01/rollout-2026-11-01-abc.jsonl',
    lines(
      { type: 'session_meta', payload: { id: 'abc', cwd: workspace } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] },
      },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Sort this' }] },
      },
      { type: 'response_item', payload: { type: 'function_call', name: 'shell' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sorted.' }] },
      },
    ),
  )

  write(
    '.config/opencode/opencode.jsonc',
    `{
  // servers
  "mcp": {
    "search": { "type": "local", "command": ["bun", "x", "search"], "environment": { "A": "b" }, "enabled": true },
    "far": { "type": "remote", "url": "https://mcp.example/far" },
  },
  "permission": { "edit": "ask", "bash": { "*": "ask", "cargo run *": "allow", "rm *": "deny" } },
  "command": { "test": { "template": "Run the tests for $ARGUMENTS", "description": "Test" } },
  "agent": { "x": {} },
}`,
  )
  write('.config/opencode/command/ship.md', 'Ship it.')
  write('.config/opencode/AGENTS.md', 'Be brief.')
  write('.local/share/opencode/storage/session/p1/ses_1.json', { id: 'ses_1', title: 'Tides', directory: workspace })
  write('.local/share/opencode/storage/message/ses_1/msg_1.json', { id: 'msg_1', role: 'user' })
  write('.local/share/opencode/storage/message/ses_1/msg_2.json', { id: 'msg_2', role: 'assistant' })
  write('.local/share/opencode/storage/part/msg_1/prt_1.json', { type: 'text', text: 'When is high tide?' })
  write('.local/share/opencode/storage/part/msg_2/prt_1.json', { type: 'text', text: 'At noon.' })

  write('.gemini/settings.json', {
    mcpServers: {
      maps: { httpUrl: 'https://mcp.example/maps' },
      keyed: { command: 'x', env: { API_KEY: '$MY_KEY' } },
    },
    tools: { allowed: ['run_shell_command(cargo fmt)', 'write_file'], exclude: ['run_shell_command(rm -rf)'] },
    hooks: { BeforeTool: [] },
  })
  write(
    '.gemini/commands/git/commit.toml',
    'description = "Commit"\nprompt = """\nWrite a message for {{args}}: !{git diff}\n"""\n',
  )
  write('.gemini/GEMINI.md', 'Use metric units.')
  write('.gemini/tmp/hash/chats/session-1.json', {
    sessionId: '1',
    messages: [
      { type: 'user', content: 'How far is it?' },
      { type: 'gemini', content: 'Ten kilometres.' },
    ],
  })

  write('.gemini/tmp/boat/.project_root', workspace)
  const said = (id: string, type: string, text: string) => ({ id, type, content: [{ text }] })
  write(
    '.gemini/tmp/boat/chats/session-2026-11-02-d98c.jsonl',
    lines(
      { sessionId: 'd98c', projectHash: 'x', kind: 'main' },
      { $set: { messages: [said('m1', 'user', '<session_context>a tree</session_context>')] } },
      said('m2', 'user', 'How deep is it?'),
      said('m3', 'gemini', 'Two'),
      said('m3', 'gemini', 'Two metres.'),
      { $set: { lastUpdated: '2026-11-02', summary: 'Depth' } },
      said('m4', 'user', 'taken back'),
      said('m5', 'gemini', 'taken back'),
      { $rewindTo: 'm4' },
    ),
  )
  write('.gemini/tmp/boat/chats/d98c/0la501.jsonl', lines(said('s1', 'user', 'for a sub-agent')))

  write('.config/Code/User/mcp.json', {
    inputs: [{ id: 'key', type: 'promptString' }],
    servers: {
      play: { type: 'stdio', command: 'npx', args: ['@playwright/mcp'] },
      asks: { command: 'y', env: { K: `\${input:key}` } },
    },
  })
  write(
    '.config/Code/User/settings.json',
    '{\n  "chat.tools.terminal.autoApprove": { "cargo doc": true, "rm": false, "/^git/": true }, // mine\n}',
  )
  write('.config/Code/User/prompts/plan.prompt.md', '---\ndescription: Plan\n---\nMake a plan.')
  write('.config/Code/User/prompts/style.instructions.md', 'Two spaces.')
  write('.config/Code/User/workspaceStorage/w1/workspace.json', { folder: `file://${workspace}` })
  write('.config/Code/User/workspaceStorage/w1/chatSessions/c1.json', {
    customTitle: 'A question',
    requests: [{ message: { text: 'What is this?' }, response: [{ value: 'A boat.' }, { kind: 'toolInvocation' }] }],
  })
  const log = lines(
    { kind: 0, v: { version: 3, sessionId: 'c2', requests: [] } },
    { kind: 2, k: ['requests'], v: [{ message: { text: 'Which sail?' }, response: [] }] },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'The ' }, { value: 'wrong one.' }] },
    { kind: 2, k: ['requests', 0, 'response'], i: 1, v: [{ kind: 'toolInvocation' }, { value: 'small one.' }] },
    { kind: 1, k: ['customTitle'], v: 'Sails' },
    { kind: 1, k: ['__proto__', 'customTitle'], v: 'no' },
    { kind: 1, k: ['requests', 'length'], v: 1_000_000_000 },
    { kind: 3, k: ['version'] },
  )
  write('.config/Code/User/workspaceStorage/w1/chatSessions/c2.jsonl', log)
  // The form before, which is left there.
  write('.config/Code/User/workspaceStorage/w1/chatSessions/c2.json', { requests: [{ message: { text: 'old' } }] })
  write('.config/Code/User/globalStorage/emptyWindowChatSessions/c3.jsonl', log.replace('Sails', 'No folder'))
}
