import { closeSync, openSync, readSync } from 'node:fs'

/** The machine that a program of Linux is for, as Node names it; `unknown` for what is no such program. */
export function elfArchitecture(path) {
  const head = Buffer.alloc(20)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, head, 0, head.length, 0)
  } finally {
    closeSync(fd)
  }
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return 'unknown'
  return { 62: 'x64', 183: 'arm64' }[head.readUInt16LE(18)] ?? 'unknown'
}
