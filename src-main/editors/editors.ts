import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path'
import { customEditor, type EditorOnMachine } from '../../src-preload/contract/editors'
import { editorCommand } from './editor-command'
import { type KnownEditor, knownEditors, type Place } from './known-editors'

interface Editors {
  list(): Promise<EditorOnMachine[]>
  /** Whether there is something at each path; relative ones begin at `folder`. */
  exist(paths: readonly string[], folder: string): Promise<boolean[]>
  /** Opens a file. An editor for the terminal is returned as a command, for a terminal to run. */
  open(wish: { path: string; line?: number; column?: number; folder: string }): Promise<TerminalCommand | null>
}

/** A program and its arguments. */
type Words = readonly [string, ...string[]]

interface TerminalCommand {
  argv: Words
  title: string
}

interface EditorsOptions {
  /** The folders that programs are looked for in, as the variable has them. */
  searchPath: string
  home: string
  /** What the settings name: an editor's id, `custom`, or nothing for the first that is found. */
  chosen(): { editor: string; editorCommand: string }
}

/** An editor that fails does so at once; one that still runs then has opened the file. */
const failsWithinMs = 1500

export function createEditors({ searchPath, home, chosen }: EditorsOptions): Editors {
  const folders = [...searchPath.split(delimiter), ...usualFolders(home)].filter((folder) => isAbsolute(folder))

  const find = async (names: readonly string[]): Promise<string | null> => {
    for (const name of names)
      for (const folder of folders) {
        const program = join(folder, name)
        if (await isProgram(program)) return program
      }
    return null
  }

  const found = async (): Promise<{ editor: KnownEditor; program: string }[]> => {
    const all = await Promise.all(
      knownEditors.map(async (editor) => ({ editor, program: await find(editor.programs) })),
    )
    return all.flatMap(({ editor, program }) => (program ? [{ editor, program }] : []))
  }

  const absolute = (path: string, folder: string): string =>
    path.startsWith('~/') ? join(home, path.slice(2)) : resolve(folder, path)

  /** The program with its arguments, and whether it needs a terminal. */
  const commandFor = async (place: Place): Promise<{ argv: Words; name: string; terminal: boolean }> => {
    const { editor: id, editorCommand: own } = chosen()
    if (id === customEditor) {
      const argv = editorCommand(own, place)
      if (!argv) throw new Error('Your command for opening files cannot be read. Check it in Settings → Editor.')
      return { argv, name: argv[0], terminal: false }
    }
    const here = await found()
    const wanted = id === '' ? here[0] : here.find(({ editor }) => editor.id === id)
    if (!wanted && id !== '') {
      const name = knownEditors.find((editor) => editor.id === id)?.name ?? id
      throw new Error(`${name} was not found on this computer. Choose another editor in Settings → Editor.`)
    }
    if (!wanted) throw new Error('No editor was found on this computer. Name one in Settings → Editor.')
    const { editor, program } = wanted
    return { argv: [program, ...editor.words(place)], name: editor.name, terminal: editor.terminal === true }
  }

  return {
    list: async () =>
      (await found()).map(({ editor: { id, name, terminal } }) => ({ id, name, terminal: terminal === true })),
    exist: (paths, folder) =>
      Promise.all(
        paths.map((path) =>
          stat(absolute(path, folder)).then(
            (entry) => entry.isFile() || entry.isDirectory(),
            () => false,
          ),
        ),
      ),
    open: async ({ path, line = 1, column = 1, folder }) => {
      const place = { path: absolute(path, folder), line, column }
      const entry = await stat(place.path).catch(() => null)
      if (!entry) throw new Error(`There is no file ${path}.`)
      const { argv, name, terminal } = await commandFor(place)
      if (terminal) return { argv, title: `${basename(argv[0])} ${basename(place.path)}` }
      await start(argv, name, folder)
      return null
    },
  }
}

/** Where editors put themselves without being on everybody's path. */
const usualFolders = (home: string): string[] => [
  join(home, '.local/bin'),
  join(home, '.local/share/JetBrains/Toolbox/scripts'),
  '/usr/local/bin',
  '/snap/bin',
  '/opt/homebrew/bin',
  '/Applications/Visual Studio Code.app/Contents/Resources/app/bin',
  '/Applications/Cursor.app/Contents/Resources/app/bin',
  '/Applications/Zed.app/Contents/MacOS',
]

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** Starts a program for itself: no shell reads its arguments, and it outlives this app. */
async function start([program, ...args]: Words, name: string, cwd: string): Promise<void> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'ignore' })
  const { promise, resolve: opened, reject } = Promise.withResolvers<void>()
  const limit = setTimeout(opened, failsWithinMs)
  child.once('error', (error) => reject(new Error(`${name} could not be started: ${error.message}`)))
  child.once('exit', (code) =>
    code === 0 || code === null ? opened() : reject(new Error(`${name} failed (exit ${code}).`)),
  )
  try {
    await promise
  } finally {
    clearTimeout(limit)
    child.unref()
  }
}
