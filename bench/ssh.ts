import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { commandEnv } from '../src-main/nodes/command-env'
import { openShellNode } from '../src-main/nodes/shell/open-node'
import { runArgv } from '../src-main/nodes/shell/remote-shell'
import { hasSshd, startSshd } from '../src-main/nodes/shell/test-sshd'
import { atMost, median, milliseconds, type Row } from './row'

const rounds = 60
const warmUp = 5

/** The shortest command in the shared pane of an ssh host, beside the same over ssh alone on the same connection. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  if (!hasSshd) {
    tell('ssh: there is no sshd on this machine, so nothing is measured')
    return []
  }
  const home = mkdtempSync(join(tmpdir(), 'deckhand-bench-ssh-'))
  const sshd = await startSshd({ home, tmuxFolder: home })
  sshd.shim((name, body) => {
    writeFileSync(join(home, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(home, name), 0o755)
  })
  const env = commandEnv(process.env, {
    HOME: home,
    TMUX_TMPDIR: home,
    PATH: `${home}${delimiter}${process.env.PATH}`,
  })
  const backend = await openShellNode({ kind: 'ssh', ...sshd.target, tmux: true }, { id: 'bench', env })
  try {
    const { shell } = backend
    const pane = backend.paneFor(home)
    if (!pane) throw new Error('The host has no pane')
    tell(`ssh: ${rounds} round trips each way`)
    // By turns, so that whatever else the machine does falls on both.
    const [plain, shared]: [number[], number[]] = [[], []]
    for (let round = -warmUp; round < rounds; round++) {
      const alone = await timed(() => runArgv(shell.argv('true'), { ...env, PATH: process.env.PATH ?? '' }))
      const inPane = await timed(() => pane.run('true'))
      if (round < 0) continue
      plain.push(alone)
      shared.push(inPane)
    }
    return [
      atMost('`true` in the pane of an ssh host, beside ssh -S', median(shared), median(plain), 1.5, milliseconds),
    ]
  } finally {
    await backend.close()
    await sshd.stop()
    execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function timed(work: () => Promise<{ exitCode: number }>): Promise<number> {
  const start = performance.now()
  const { exitCode } = await work()
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}`)
  return performance.now() - start
}
