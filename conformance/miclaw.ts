import { createToolset } from '../src-main/toolsets'
import type { ToolsetDeps } from '../src-main/toolsets/deps'
import type { Bench, Vocabulary } from './harness'

/** The vocabulary of the fourth seed, with what a test brings along. */
export const miclaw = (extra: Partial<ToolsetDeps> = {}): Vocabulary => ({
  label: 'miclaw',
  create: (deps) => createToolset('miclaw', { ...deps, ...extra }),
  name: (tool) => tool,
})

/** The text of a call that works. */
export async function told(bench: Bench, tool: string, args: unknown): Promise<string> {
  const { content, isError } = await bench.call(tool, args)
  const [first] = content
  if (isError || first?.type !== 'text') throw new Error(`${tool} failed: ${JSON.stringify(content)}`)
  return first.text
}

/** The text of a call that fails. */
export async function refused(bench: Bench, tool: string, args: unknown): Promise<string> {
  const { content, isError } = await bench.call(tool, args)
  const [first] = content
  if (!isError || first?.type !== 'text') throw new Error(`${tool} did not fail: ${JSON.stringify(content)}`)
  return first.text
}
