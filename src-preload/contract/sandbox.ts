import type { FileDiff } from './file-diff'

/** Whether commands can be put into a sandbox on this machine, and what it lets out. */
export interface SandboxStatus {
  available: boolean
  /** Why not, or what to know about it, in words for the user. */
  note: string
  /** Whether a command can be tried before it is allowed. */
  canTry: boolean
}

/** What a command inside the sandbox ran into. */
export interface Blocked {
  kind: 'write' | 'network' | 'hidden' | 'rights'
  /** In plain words: "It tried to write to /etc/hosts". */
  text: string
}

/** A trial of a command in a view of the workspace whose changes stay aside. */
export type TrialState =
  /** `limits`: what will be different from the real thing, in words. */
  | { status: 'offered'; limits: string[] }
  | { status: 'running'; limits: string[]; processId: string; startedAt: number }
  | {
      status: 'done'
      limits: string[]
      processId: string
      exitCode: number | null
      /** The end of what it printed. */
      tail: string
      durationMs: number
      files: FileDiff[]
      /** Changed files that are not among `files`. */
      more: number
      /** Why the changes cannot be applied; absent where they can. */
      obstacle?: string
      /** A word that must be typed before they are applied: they change what runs later by itself. */
      typedWord?: string
    }
  /** It was stopped, ran too long, or could not begin. Nothing has changed. */
  | { status: 'failed'; limits: string[]; message: string }
