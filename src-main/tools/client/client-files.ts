import { basename, dirname, join } from 'node:path'
import { decodeText } from '../../changes/text-encoding'
import { realText, requireChecked } from '../../nodes/files/checked'
import type { NodeFiles, ReachOptions } from '../../nodes/files/node-files'
import { readerOf, readLines } from '../../nodes/files/read-lines'
import { type ToolContext, ToolFailure } from '../tool'
import { ClientRefusal, ClientSilence, type SessionClient } from './session-client'

/** Larger files are read and written only on the disk. */
const mostBytes = 10 * 1024 * 1024

/**
 * The files of this machine, with text files as the session's client has them: reading includes changes that are not
 * saved there yet, and writing changes the open file. What the client refuses is done on the disk. Only plain UTF-8
 * goes through the client, since the protocol does not mention encodings.
 */
export function clientFiles(disk: NodeFiles, { client }: Pick<ToolContext, 'client'>): NodeFiles {
  if (!client) return disk
  const held = (path: string, options: ReachOptions = {}) => heldText(client, disk, path, options)
  return {
    ...disk,
    async read(path, options = {}) {
      const text = options.mostBytes === undefined ? await held(path, options) : null
      return text === null ? disk.read(path, options) : Buffer.from(text)
    },
    async lines(path, range, options) {
      const text = await held(path, options)
      return text === null ? disk.lines(path, range, options) : readLines(readerOf(Buffer.from(text)), range)
    },
    async write(path, data, options = {}) {
      if (!(await wroteThere(client, disk, path, data, options))) await disk.write(path, data, options)
    },
  }
}

/** The client's text of a file; null if the file is to be read from the disk. */
async function heldText(
  client: SessionClient,
  disk: NodeFiles,
  path: string,
  { checked }: ReachOptions,
): Promise<string | null> {
  if (!client.readText || (await plainText(disk, path, checked)) === null) return null
  try {
    const text = await client.readText(path)
    // The client resolved the path itself, so the gate's check is repeated afterwards.
    await disk.read(path, { mostBytes: 1, checked })
    return text
  } catch (error) {
    if (error instanceof ClientRefusal || error instanceof ClientSilence) return null
    throw error
  }
}

/** The text on the disk; null if there is none, if it is too large, or if it is not plain UTF-8. */
async function plainText(disk: NodeFiles, path: string, checked: ReachOptions['checked']): Promise<string | null> {
  const found = await disk.stat(path)
  if (found?.type !== 'file' || found.size > mostBytes) return null
  const decoded = decodeText(await disk.read(path, { checked }))
  return decoded?.encoding === 'utf8' ? decoded.text : null
}

/** Writes through the client; false if the disk has to be used. */
async function wroteThere(
  client: SessionClient,
  disk: NodeFiles,
  path: string,
  data: Buffer,
  { checked }: Pick<ReachOptions, 'checked'>,
): Promise<boolean> {
  const decoded = data.length <= mostBytes ? decodeText(data) : null
  if (!client.writeText || decoded?.encoding !== 'utf8') return false
  const before = await plainText(disk, path, checked)
  if (before === null && !(await isFree(disk, path, checked))) return false
  try {
    await client.writeText(path, decoded.text)
  } catch (error) {
    if (error instanceof ClientSilence)
      throw new ToolFailure(
        'ExecutionFailed',
        `${error.message} Whether it has written ${path} is not known: read it before you try again.`,
      )
    if (!(error instanceof ClientRefusal)) throw error
    const open = before === null ? null : await heldText(client, disk, path, { checked })
    if (open !== null && open !== before)
      throw new ToolFailure(
        'ExecutionFailed',
        `${path} has changes in ${client.name} that are not saved, and ${client.name} refused this one (${error.message}). The user has to save it there first.`,
      )
    return false
  }
  if (await disk.stat(path)) await disk.read(path, { mostBytes: 1, checked })
  return true
}

/** Whether nothing is there yet. Throws if the folder is not the one that the gate checked. */
async function isFree(disk: NodeFiles, path: string, checked: ReachOptions['checked']): Promise<boolean> {
  if ((await disk.stat(path, { follow: false })) || !(await disk.stat(dirname(path)))) return false
  requireChecked(join(await realText(dirname(path)), basename(path)), checked)
  return true
}
