import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @param {string} path a path inside the checkout */
export const at = (path) => join(root, path)

/**
 * Runs a program to its end and collects what it prints. A program that cannot be started has exit code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string, output: string }>}
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const result = { code: 127, stdout: '', stderr: '', output: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        result[name] += text
        result.output += text
      })
    }
    child.on('error', (error) => resolve({ ...result, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ ...result, code: code ?? 1 }))
  })
}

/**
 * Hands the terminal over to a program and waits for it.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function handOver(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    for (const pipe of child.stdio) pipe?.on('error', () => pipe.destroy())
    const forward = (signal) => {
      // On a terminal Ctrl-C reaches the whole foreground group: passing it on would press it twice.
      const alreadyThere = signal === 'SIGINT' && (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
      if (!alreadyThere) child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const release = () => {
      for (const signal of signals) process.off(signal, forward)
    }
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      release()
      resolve({ code, signal })
    })
  })
}

/**
 * The exit code a shell would report, so that our caller sees what the program's caller would have seen.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function exitCodeOf({ code, signal }) {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
  return code ?? 128 + (numbers[signal] ?? 0)
}

/** @param {string} program a name to look for in PATH */
export function hasProgram(program, path = process.env.PATH ?? '') {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Electron behaves as plain Node when this variable is inherited; a window needs it gone. */
export function windowEnvironment(env = process.env) {
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = env
  return rest
}

export const isRoot = process.getuid?.() === 0
