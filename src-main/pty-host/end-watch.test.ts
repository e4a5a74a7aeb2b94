import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEndWatch } from './end-watch'
import { startForkServer } from './fork-server'
import { forkServerScript } from './fork-server-script'
import type { Launcher } from './launcher'
import { forkTerminal } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'
import { spawnPty } from './pty-child'
import { shellSpec } from './test-terminals'

const size = { cols: 80, rows: 24 }
const shell = (command: string): ProcessSpec => shellSpec(command, { tty: size })

/** Never reports an end. */
const silent: Launcher = {
  async open(spec, at) {
    return { ...forkTerminal(spec, at), exited: new Promise(() => {}) }
  },
  close() {},
}

async function runTo(launcher: Launcher, command: string): Promise<{ exit: ProcessExit; said: string }> {
  const { promise, resolve } = Promise.withResolvers<ProcessExit>()
  let said = ''
  const output = (chunk: Uint8Array) => {
    said += Buffer.from(chunk).toString()
  }
  await spawnPty(shell(command), size, { output, end: resolve }, launcher)
  return { exit: await promise, said }
}

describe.runIf(process.platform === 'linux')('the end of a program that nobody reports', () => {
  it('is noticed, with all it wrote', async () => {
    const { said, exit } = await runTo(silent, 'echo written; exit 7')
    // Whoever collected it knows how it ended, but has not reported it.
    expect({ said, exit }).toEqual({ said: 'written\r\n', exit: { exitCode: null, signal: null } })
  })

  it('is noticed although another program holds the terminal', async () => {
    const { said } = await runTo(silent, 'trap "" HUP; sleep 30 & echo $!')
    expect(Number(said)).toBeGreaterThan(1)
    process.kill(Number(said), 'SIGKILL')
  })

  it('comes with its exit code while it is a zombie, as under a fork server that collects nothing', async () => {
    const deaf = forkServerScript.replace('  collect();\n', '')
    expect(deaf).not.toBe(forkServerScript)
    const server = startForkServer({ script: deaf })
    if (!server) throw new Error('There is no Perl here')
    const launcher: Launcher = {
      async open(spec, at) {
        for (;;) {
          const opened = server.open(spec, at)
          if (opened) return opened
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      },
      close() {},
    }
    expect((await runTo(launcher, 'exit 7')).exit).toEqual({ exitCode: 7, signal: null })
    expect((await runTo(launcher, 'kill -KILL $$')).exit).toEqual({ exitCode: null, signal: 'SIGKILL' })
    server.close()
  })

  it('is not concluded while it runs', async () => {
    const { watch } = createEndWatch(20)
    const running = forkTerminal(shell('read line; exit 3'), size)
    const concluded = new Promise<ProcessExit>((resolve) => watch(running.pid, resolve))
    const stat = () => readFileSync(`/proc/${running.pid}/stat`, 'latin1')
    // Many looks, none of which finds an end.
    const early = await Promise.race([concluded, new Promise((resolve) => setTimeout(resolve, 300))])
    expect({ early, state: / S /.test(stat()) }).toEqual({ early: undefined, state: true })
    process.kill(running.pid, 'SIGKILL')
    expect(await concluded).toEqual({ exitCode: null, signal: expect.toBeOneOf([null, 'SIGKILL']) })
    running.release()
  })
})
