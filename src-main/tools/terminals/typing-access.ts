import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { Access } from '../../approval/types'

/** Keys that end, stop or leave a program and cannot run anything. */
const harmlessKeys = /^(C-[cdz\\]|\^[CDZ]|Escape|Esc)$/i

export const areHarmless = (keys: readonly string[]): boolean => keys.every((key) => harmlessKeys.test(key))

/**
 * Programs that pass their input to a shell, here or elsewhere. Recognised by name; a false match only means one more
 * question.
 */
const commandReaders =
  /(?:^|[\s/;&|('"])(?:(?:ba|da|z|k|mk|a|fi|c|tc|rba)?sh|pwsh|nu|ssh|mosh|telnet|nc|ncat|socat|su|sudo|doas|docker|podman|nerdctl|kubectl|oc|lxc|machinectl|chroot|nsenter|unshare|bwrap|tmux|screen|zellij|dtach|script|expect|adb|nix-shell|nix|poetry|pipenv|at|batch)(?:$|[\s;&|)'"])/

const readsCommands = (command: string): boolean => command === '' || commandReaders.test(command)

/**
 * Typed text can run anything, so the gate treats it as a command. `row` is the process that reads it; in a pane that
 * is not ours the reader is unknown, so it counts as a shell.
 */
export function typingAccess(
  command: string,
  /** The characters that are sent, and what is already in the line. */
  { sent, before }: { sent: string; before: string },
  place: Pick<Access, 'node' | 'cwd' | 'workspace'>,
  row?: ProcessInfo,
): Access {
  return {
    ...place,
    action: 'exec',
    command,
    line: before + sent,
    typed: true,
    typedInto: readsCommands(row?.command ?? '') ? 'shell' : 'program',
    ...(row && { processId: row.id, processName: row.title }),
    toolKey: 'process.type',
  }
}
