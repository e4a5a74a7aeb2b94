import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from './say.mjs'

/** Whether this session could show a window. */
export const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/**
 * Starts a virtual display on a free number, readable by nobody else.
 * @param {string} [size]
 * @returns {Promise<{ env: NodeJS.ProcessEnv, name: string, close: () => void }>} the variables that lead a program to it
 */
export async function virtualDisplay(size = '1600x1000x24') {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-display-'))
  const authority = join(folder, 'authority')
  writeFileSync(authority, authorityFile(randomBytes(16)), { mode: 0o600 })
  const args = ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-auth', authority]
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const close = () => {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', close)
  const number = await displayNumber(server)
  const name = `:${number}`
  const { WAYLAND_DISPLAY: _w, XDG_SESSION_TYPE: _s, ...env } = process.env
  return { env: { ...env, DISPLAY: name, XAUTHORITY: authority }, name, close }
}

/**
 * Tests never open windows on somebody's desktop where that can be avoided: on Linux they get a display of their own.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 */
export async function onTestDisplay(work) {
  if (process.platform !== 'linux') return work(process.env)
  const display = await virtualDisplay()
  try {
    return await work(display.env)
  } finally {
    display.close()
  }
}

function displayNumber(server) {
  return new Promise((resolve, reject) => {
    let complaint = ''
    let number = ''
    server.stderr.setEncoding('utf8').on('data', (text) => {
      complaint += text
    })
    server.stdio[3].setEncoding('utf8').on('data', (text) => {
      number += text
      if (number.endsWith('\n')) resolve(number.trim())
    })
    server.on('error', (error) => reject(new Refusal(`Xvfb could not be started: ${error.message}`)))
    server.on('exit', (code) => reject(new Refusal(`Xvfb ended with code ${code}.\n${complaint.trim()}`)))
  })
}

/** One entry that fits every display, in the format of an X authority file: family, address, number, name, data. */
function authorityFile(cookie) {
  const field = (bytes) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
  const anyHost = Buffer.from([0xff, 0xff])
  const empty = field(Buffer.alloc(0))
  return Buffer.concat([anyHost, empty, empty, field(Buffer.from('MIT-MAGIC-COOKIE-1')), field(cookie)])
}
