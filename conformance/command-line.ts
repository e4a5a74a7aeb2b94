import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import { afterAll, beforeAll } from 'vitest'
import { type ScriptedModel, scriptedModel } from '../e2e/scripted-model'
import { type Bundle, bundle } from '../src-main/gateway/test-agent'

export interface CommandLine {
  model(): ScriptedModel
  workspace(): string
  /** `deckhand run` with the scripted model, in a terminal as a user has it. */
  run(args: string[], env?: Record<string, string>): RunningCommand
}

interface RunningCommand {
  /** Everything on the screen so far, without colours. */
  output(): string
  type(text: string): void
  exitCode: Promise<number>
}

export function openCommandLine(): CommandLine {
  let program: Bundle
  let model: ScriptedModel
  let root = ''
  const running = new Set<{ kill(): void }>()
  const folder = (name: string) => join(root, name)

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'deckhand-line-'))
    for (const name of ['home', 'data', 'workspace']) mkdirSync(folder(name))
    model = await scriptedModel()
    program = await bundle('src-main/cli.ts')
  }, 120_000)
  afterAll(async () => {
    for (const terminal of running) terminal.kill()
    await model.close()
    program.remove()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })

  return {
    model: () => model,
    workspace: () => folder('workspace'),
    run(args, env = {}) {
      const given = { ...process.env, HOME: folder('home'), ELECTRON_RUN_AS_NODE: '1', NO_COLOR: '1', ...env }
      const where = ['--data', folder('data'), '--workspace', folder('workspace')]
      const words = [
        'run',
        ...where,
        '--provider',
        'openai',
        '--base-url',
        model.baseUrl,
        '--model',
        'scripted',
        ...args,
      ]
      const terminal = spawn(process.execPath, [program.script, ...words], {
        cwd: folder('workspace'),
        env: given as Record<string, string>,
        cols: 200,
      })
      running.add(terminal)
      let text = ''
      terminal.onData((data) => {
        text += data
      })
      const exitCode = new Promise<number>((resolve) => {
        terminal.onExit(({ exitCode: code }) => {
          running.delete(terminal)
          resolve(code)
        })
      })
      return {
        output: () => text.replace(/\x1b\[[\d;?]*[A-Za-z]/g, ''),
        type: (typed) => terminal.write(typed),
        exitCode,
      }
    },
  }
}
