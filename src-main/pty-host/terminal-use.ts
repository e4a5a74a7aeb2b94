import { readdirSync, readFileSync, statSync } from 'node:fs'
import { nameOfProcess, statOf } from '../process-alive'
import { allPids } from './process-list'

/**
 * What the programs in a terminal's foreground do right now. `reads`: one waits to read from the terminal. `polls`: one
 * polls, for keys or for something else. `shows`: a pager, editor or monitor, whose keys only move in what it shows.
 * `neither`: none of these. `unknown`: the system cannot tell.
 */
export type TerminalUse = 'reads' | 'polls' | 'shows' | 'neither' | 'unknown'

interface Calls {
  read: ReadonlySet<number>
  poll: ReadonlySet<number>
}

/** Numbers of read and readv; of poll, select, epoll_wait and their variants. */
const CALLS: Partial<Record<NodeJS.Architecture, Calls>> = {
  x64: { read: new Set([0, 19]), poll: new Set([7, 23, 232, 270, 271, 281, 441]) },
  arm64: { read: new Set([63, 65]), poll: new Set([22, 72, 73, 441]) },
}
const SHELLS = new Set(['bash', 'zsh', 'fish', 'sh', 'dash', 'ksh', 'mksh'])
/** Pagers, editors and monitors. */
const VIEWERS =
  /^(?:less|more|most|man|bat|delta|info|vi|vim\S*|nvim|view|nano|pico|micro|emacs\S*|joe|ne|hx|helix|kak|ed|ex|top|htop|btop|atop|watch|tmux\S*|screen|mc|tig|lazygit|ranger|nnn|gdb|lldb)$/
/** How many threads of a program are checked. */
const MOST_THREADS = 64
/** Device numbers of terminals: `/dev/tty` is 5, pseudo-terminals have 136 to 143. */
const isTerminal = (device: number): boolean => {
  const major = (device >> 8) & 0xfff
  return major === 5 || (major >= 136 && major <= 143)
}

/**
 * Looks once, at every process of the machine. `pid` is the program that was started in the terminal. With `raw`, a
 * shell that reads keys is at its own prompt and does not count, unless it runs a script: then it is the script that
 * reads.
 */
export function terminalUse(pid: number, raw: boolean): TerminalUse {
  const calls = CALLS[process.arch]
  const foreground = Number(statOf(pid)?.[5] ?? -1)
  if (!calls || foreground <= 0) return 'unknown'
  let use: TerminalUse = 'neither'
  for (const each of inForeground(pid, foreground)) {
    if (raw && SHELLS.has(nameOfProcess(each)) && isInteractive(each)) continue
    const doing = doneBy(each, calls)
    if (doing === 'reads') return VIEWERS.test(nameOfProcess(each)) ? 'shows' : 'reads'
    if (doing === 'polls' && VIEWERS.test(nameOfProcess(each))) return 'shows'
    if (doing === 'polls' || (doing === 'unknown' && use === 'neither')) use = doing
  }
  return use
}

/** Shell options that take a word. */
const WITH_WORD = /^(?:--rcfile|--init-file|[-+]\w*[oO])$/

/** Whether a shell shows its own prompt: it was started without a script, or with `-i`. */
function isInteractive(pid: number): boolean {
  try {
    const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? ''
      if (/^-\w*i\w*$/.test(word)) return true
      if (/^-\w*c\w*$/.test(word) || !/^[-+]/.test(word)) return false
      if (WITH_WORD.test(word)) at++
    }
    return true
  } catch {
    return true // It has just ended.
  }
}

/** The foreground group, and descendants of the program that have no terminal of their own, as in a sandbox. */
function inForeground(pid: number, foreground: number): number[] {
  const parents = new Map<number, number>()
  const found: number[] = []
  const apart: number[] = []
  for (const each of allPids()) {
    const [state, parent, group, , terminal] = statOf(each) ?? []
    if (state === undefined || state === 'Z' || state === 'X') continue
    parents.set(each, Number(parent))
    if (Number(group) === foreground) found.push(each)
    else if (terminal === '0') apart.push(each)
  }
  const descends = (each: number): boolean => {
    for (let at = parents.get(each); at !== undefined && at > 1; at = parents.get(at)) if (at === pid) return true
    return false
  }
  return [...found, ...apart.filter(descends)]
}

function doneBy(pid: number, calls: Calls): TerminalUse {
  let use: TerminalUse = 'neither'
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`).slice(0, MOST_THREADS)) {
      // Such as `0 0x3 0x7ffe…`: the number of the call and its arguments; or `running`.
      const [number, first] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1').split(' ')
      if (calls.read.has(Number(number))) {
        if (isTerminal(statSync(`/proc/${pid}/fd/${Number(first)}`).rdev)) return 'reads'
      } else if (calls.poll.has(Number(number))) use = 'polls'
    }
    return use
  } catch {
    return 'unknown' // It has just ended, or belongs to another user.
  }
}
