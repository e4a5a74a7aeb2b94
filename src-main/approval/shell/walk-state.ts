import type { SyntaxNode } from 'unbash'
import type { Variable } from './expand'
import { either, type Folders, type Invocation, type WalkEnvironment } from './plan'

/** The folders that it may have ended in, by whether it succeeded. */
export interface Outcome {
  yes: Folders
  no: Folders
}

export interface State {
  variables: Map<string, Variable>
  cwds: Folders
  source: Invocation | null
  /** Inside something that may not happen at all. */
  conditional: boolean
  functions: readonly string[]
  depth: number
}

/** What runs in its own shell leaves the folder and the variables of this one alone. */
export const apart = (state: State): State => ({
  ...state,
  cwds: [...state.cwds],
  variables: new Map(state.variables),
})

/** After `X=/; test -d y && X=/tmp` the value of X is unknown. */
export function assign(state: State, name: string, value: string | null): void {
  const known = state.variables.get(name)
  const sure = !state.conditional || known === undefined || known.text === value
  state.variables.set(name, { text: sure ? value : null, loop: false })
}

/** Follows a `cd`. */
export function changeFolder(invocation: Invocation, state: State, environment: WalkEnvironment): Outcome {
  const operands = invocation.fields.slice(1).filter((field) => !/^-[LPe@]*$/.test(field.text) || field.text === '-')
  const target = operands[0]
  const before = [...state.cwds]
  const plain = operands.length <= 1 && target?.text !== '-' && !target?.unknown && target?.pattern == null
  const yes = before.map((cwd) => {
    if (!plain || cwd === null)
      return plain && target?.text.startsWith('/') ? environment.folder(target.text, '/') : null
    return environment.folder(target?.text ?? environment.home, cwd)
  })
  state.cwds = either(yes, before)
  return { yes, no: before }
}

const COMMAND_NODES = new Set(
  'Command AndOr Pipeline For If Redirected Subshell Function While ArithmeticFor Select Coproc Case BraceGroup TestCommand ArithmeticCommand'.split(
    ' ',
  ),
)
export const isCommandNode = (node: SyntaxNode): boolean => COMMAND_NODES.has(node.type)
