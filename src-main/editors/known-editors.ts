/** A place in a file that an editor should open at. */
export interface Place {
  path: string
  line: number
  column: number
}

export interface KnownEditor {
  id: string
  name: string
  /** What it is called on the command line; the first that is found counts. */
  programs: readonly string[]
  /** It draws in a terminal, and so gets one. */
  terminal?: true
  words(place: Place): string[]
}

const goto = ({ path, line, column }: Place): string[] => ['--goto', `${path}:${line}:${column}`]
const colons = ({ path, line, column }: Place): string[] => [`${path}:${line}:${column}`]
const jetBrains = ({ path, line, column }: Place): string[] => ['--line', `${line}`, '--column', `${column}`, path]
const plus = ({ path, line }: Place): string[] => [`+${line}`, path]

/** In the order in which they are preferred while none is chosen. */
export const knownEditors: readonly KnownEditor[] = [
  { id: 'cursor', name: 'Cursor', programs: ['cursor'], words: goto },
  { id: 'vscode', name: 'VS Code', programs: ['code', 'code-insiders'], words: goto },
  { id: 'vscodium', name: 'VSCodium', programs: ['codium'], words: goto },
  { id: 'zed', name: 'Zed', programs: ['zed', 'zeditor'], words: colons },
  { id: 'idea', name: 'IntelliJ IDEA', programs: ['idea', 'idea.sh', 'intellij-idea-ultimate'], words: jetBrains },
  { id: 'webstorm', name: 'WebStorm', programs: ['webstorm', 'webstorm.sh'], words: jetBrains },
  { id: 'pycharm', name: 'PyCharm', programs: ['pycharm', 'pycharm.sh'], words: jetBrains },
  { id: 'goland', name: 'GoLand', programs: ['goland', 'goland.sh'], words: jetBrains },
  { id: 'rustrover', name: 'RustRover', programs: ['rustrover', 'rustrover.sh'], words: jetBrains },
  { id: 'clion', name: 'CLion', programs: ['clion', 'clion.sh'], words: jetBrains },
  { id: 'phpstorm', name: 'PhpStorm', programs: ['phpstorm', 'phpstorm.sh'], words: jetBrains },
  { id: 'sublime', name: 'Sublime Text', programs: ['subl'], words: colons },
  { id: 'neovim', name: 'Neovim in a terminal', programs: ['nvim'], terminal: true, words: plus },
  { id: 'vim', name: 'Vim in a terminal', programs: ['vim', 'vi'], terminal: true, words: plus },
]
