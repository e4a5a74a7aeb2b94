import { describe, expect, test } from 'vitest'
import { hookAnswer } from './answer'
import { type HookCall, hookAccess, isInternal, readHook } from './payload'

/** Payloads in the form that the agents document and send. */
const claude = (tool_name: string, tool_input: object, event = 'PreToolUse') =>
  JSON.stringify({
    session_id: '0b6c1d1e-7b0c-4f0f-9a53-0d8d33c0a111',
    transcript_path: '/home/me/.claude/projects/-work/0b6c1d1e.jsonl',
    cwd: '/work',
    permission_mode: 'default',
    hook_event_name: event,
    tool_name,
    tool_input,
    tool_use_id: 'toolu_01',
  })
const codex = (tool_name: string, tool_input: object, event = 'PreToolUse') =>
  JSON.stringify({
    session_id: '019a',
    turn_id: '1',
    transcript_path: null,
    cwd: '/work',
    hook_event_name: event,
    model: 'gpt-5.5-codex',
    permission_mode: 'default',
    tool_name,
    tool_input,
    tool_use_id: 'call_1',
  })

const read = (text: string): HookCall => {
  const call = readHook(text)
  if ('problem' in call) throw new Error(call.problem)
  return call
}

describe('what a call would do', () => {
  test.each([
    [
      'a command',
      claude('Bash', { command: 'rm -rf build', description: 'Clean' }),
      { action: 'exec', command: 'rm -rf build' },
    ],
    [
      'a file that is read',
      claude('Read', { file_path: '/etc/passwd' }),
      { action: 'read', paths: [{ path: '/etc/passwd', access: 'read' }] },
    ],
    [
      'a search without a folder',
      claude('Grep', { pattern: 'key' }),
      { action: 'read', paths: [{ path: '/work', access: 'read' }] },
    ],
    [
      'a search in a folder',
      claude('Glob', { pattern: '*', path: '/home' }),
      { action: 'read', paths: [{ path: '/home', access: 'read' }] },
    ],
    [
      'a file that is written',
      claude('Write', { file_path: 'src/a.ts', content: 'x' }),
      { action: 'write', paths: [{ path: '/work/src/a.ts', access: 'write' }] },
    ],
    [
      'an address',
      claude('WebFetch', { url: 'https://example.org/a', prompt: 'p' }),
      { action: 'network', hosts: ['example.org'] },
    ],
    [
      'a tool of an MCP server',
      claude('mcp__github__create_issue', { title: 't' }),
      { action: 'exec', toolKey: 'hosted.Claude-Code.mcp__github__create_issue' },
    ],
    ['a command of Codex', codex('Bash', { command: 'npm test' }), { action: 'exec', command: 'npm test' }],
    [
      'a patch of Codex',
      codex('apply_patch', {
        command: '*** Begin Patch\n*** Update File: a.txt\n*** Move to: ../b.txt\n@@\n-x\n+y\n*** End Patch',
      }),
      {
        action: 'write',
        paths: [
          { path: '/work/a.txt', access: 'write' },
          { path: '/b.txt', access: 'write' },
        ],
      },
    ],
  ])('%s', (_, text, access) => {
    expect(hookAccess(read(text))).toMatchObject(access)
  })

  test('plans and questions of the agent itself are left to it', () => {
    expect(isInternal(read(claude('TodoWrite', { todos: [] })))).toBe(true)
    expect(isInternal(read(claude('Bash', { command: 'ls' })))).toBe(false)
  })

  test.each([
    ['not JSON', '{', 'not JSON'],
    ['another event', claude('Bash', {}, 'Stop'), 'hook_event_name'],
    ['no folder', JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash' }), 'cwd'],
    ['no object', '[]', 'not understood'],
  ])('%s is told', (_, text, words) => {
    expect(readHook(text)).toEqual({ problem: expect.stringContaining(words) })
  })
})

describe('the answer', () => {
  const answer = (text: string, verdict: 'allow' | 'deny' | 'ask') => {
    const said = hookAnswer(read(text), { verdict, reason: 'Because.' })
    return said === '' ? null : JSON.parse(said).hookSpecificOutput
  }
  test('Claude Code gets all three before a tool runs', () => {
    for (const verdict of ['allow', 'deny', 'ask'] as const)
      expect(answer(claude('Bash', { command: 'ls' }), verdict)).toEqual({
        hookEventName: 'PreToolUse',
        permissionDecision: verdict,
        permissionDecisionReason: 'Because.',
      })
  })
  test('where its prompt would appear, it is answered or left to appear', () => {
    const request = claude('Bash', { command: 'ls' }, 'PermissionRequest')
    expect(answer(request, 'allow')).toEqual({ hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } })
    expect(answer(request, 'deny')?.decision).toEqual({ behavior: 'deny', message: 'Because.' })
    expect(answer(request, 'ask')).toBeNull()
  })
  test('Codex takes only a refusal before a tool runs, and both answers to its request', () => {
    expect(answer(codex('Bash', { command: 'ls' }), 'allow')).toBeNull()
    expect(answer(codex('Bash', { command: 'ls' }), 'ask')).toBeNull()
    expect(answer(codex('Bash', { command: 'ls' }), 'deny')).toMatchObject({ permissionDecision: 'deny' })
    expect(answer(codex('Bash', { command: 'ls' }, 'PermissionRequest'), 'allow')?.decision).toEqual({
      behavior: 'allow',
    })
  })
})
