import { createToolset } from '../src-main/toolsets'
import type { ToolsetDeps } from '../src-main/toolsets/deps'
import type { Bench, Vocabulary } from './harness'

/** The vocabulary of the third seed, with what a test brings along. */
export const buddy = (extra: Partial<ToolsetDeps> = {}): Vocabulary => ({
  label: 'buddy',
  create: (deps) => createToolset('buddy', { ...deps, ...extra }),
  name: (tool) => tool,
})

/** The three parts of what `run_shell` tells. */
export function shellParts(text: string): { exitCode: number; stdout: string; stderr: string } {
  const [, code, stdout, stderr] = /^exit code: (-?\d+)\nstdout:\n([\s\S]*)\nstderr:\n([\s\S]*)$/.exec(text) ?? []
  if (code === undefined || stdout === undefined || stderr === undefined)
    throw new Error(`This is not what a command leaves behind: ${text}`)
  return { exitCode: Number(code), stdout, stderr }
}

export const requiredOf = (bench: Bench, tool: string): string[] | undefined =>
  (bench.definition(tool)?.parameters as { required?: string[] } | undefined)?.required
