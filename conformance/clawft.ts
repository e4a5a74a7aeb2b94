import { createToolset } from '../src-main/toolsets'
import type { ToolsetDeps } from '../src-main/toolsets/deps'
import type { ToolErrorKind } from '../src-preload/contract/tool-calls'
import type { Bench, Json, Vocabulary } from './harness'

/** The vocabulary of the fifth seed, with what a test brings along. */
export const clawft = (extra: Partial<ToolsetDeps> = {}): Vocabulary => ({
  label: 'clawft',
  create: (deps) => createToolset('clawft', { ...deps, ...extra }),
  name: (tool) => tool,
})

/** How a call fails: its kind, and the JSON object that the model reads. */
export async function failure(bench: Bench, tool: string, args: unknown): Promise<{ kind: ToolErrorKind; told: Json }> {
  const outcome = await bench.call(tool, args)
  const [first] = outcome.content
  if (!outcome.isError || !outcome.error || first?.type !== 'text') {
    throw new Error(`${tool} did not fail: ${JSON.stringify(outcome.content)}`)
  }
  return { kind: outcome.error.kind, told: JSON.parse(first.text) }
}

export const schemaOf = (bench: Bench, tool: string) =>
  bench.definition(tool)?.parameters as { properties: Record<string, { type?: string }>; required?: string[] }
