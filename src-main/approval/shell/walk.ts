import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { type ExpandContext, expandWord, type Variable } from './expand'
import type { Field } from './field'
import { either, type Invocation, type Redirect, type ShellPlan, type WalkEnvironment } from './plan'
import { hasCircle, isEndless, leavesRunning } from './recursion'
import { assignedText, readRedirects } from './redirects'
import { apart, assign, changeFolder, isCommandNode, type Outcome, type State } from './walk-state'

/** Names that mean nothing to any shell or program: `for PATH in evil` (zsh: `path`) would change what `ls` is. */
const LOOP_NAMES = /^(?:[a-z]|f\d|file|filename|name|dir|folder|item|entry|word|num|ext|pkg|mod|rev|branch|commit|src)$/
const READERS = new Set('read mapfile readarray getopts'.split(' '))
const MAX_INVOCATIONS = 1000
const MAX_DEPTH = 12

/** Takes a shell text apart. Never throws: what it does not understand becomes a trouble, and is still searched. */
export function planShell(
  source: string,
  environment: WalkEnvironment,
  variables = new Map<string, Variable>(),
): ShellPlan {
  const plan: ShellPlan = { invocations: [], troubles: [], recursive: false, unsearched: false }
  const state: State = { variables, cwds: [environment.cwd], source: null, conditional: false, functions: [], depth: 0 }
  const script = parse(source)
  // Joined lines can make one operator of two; between words, and in blocks of text, they are plain.
  if (/[^ \t]\\\n/.test(source) && !source.includes('<<'))
    plan.troubles.push('it breaks a line in the middle of a word')
  const calls = new Map<string, Set<string>>()
  new Walker(source, environment, plan, calls).script(script, state)
  plan.recursive ||= hasCircle(calls)
  return plan
}

class Walker {
  constructor(
    readonly text: string,
    readonly environment: WalkEnvironment,
    readonly plan: ShellPlan,
    /** The functions it defines, with the names that each calls. */
    readonly calls: Map<string, Set<string>>,
  ) {}

  script(script: ParsedScript, state: State): void {
    if (script.errors?.length) this.trouble('it is incomplete or not valid shell')
    if (state.depth > MAX_DEPTH) this.plan.unsearched = true
    else for (const statement of script.commands) this.statement(statement, state)
  }

  trouble(reason: string): void {
    if (!this.plan.troubles.includes(reason)) this.plan.troubles.push(reason)
  }

  statement(statement: Statement, state: State): void {
    if (!statement.background) {
      this.node(statement.command, state)
      return
    }
    this.trouble('it leaves something running in the background')
    this.node(statement.command, apart(state))
  }

  /** Walks a node in `state`, which afterwards holds every folder it may have ended in; answers them by outcome. */
  node(node: SyntaxNode, state: State): Outcome {
    const before = [...state.cwds]
    switch (node.type) {
      case 'Command':
        return this.command(node, state)
      case 'AndOr': {
        let outcome = this.node(node.commands[0] as SyntaxNode, state)
        for (const [index, operator] of node.operators.entries()) {
          const right = node.commands[index + 1]
          if (!right) break
          const branch = { ...state, cwds: operator === '&&' ? outcome.yes : outcome.no, conditional: true }
          const next = this.node(right, branch)
          outcome =
            operator === '&&'
              ? { yes: next.yes, no: either(outcome.no, next.no) }
              : { yes: either(outcome.yes, next.yes), no: next.no }
        }
        state.cwds = either(outcome.yes, outcome.no)
        return outcome
      }
      case 'Pipeline': {
        if (node.operators.includes('|&')) this.trouble('it uses |&')
        const negated = node.prefixes.some((prefix) => prefix.type === 'Negation')
        if (node.commands.length === 1) {
          const outcome = this.node(node.commands[0] as SyntaxNode, state)
          return negated ? { yes: outcome.no, no: outcome.yes } : outcome
        }
        let source: Invocation | null = state.source
        for (const command of node.commands) {
          const first = this.plan.invocations.length
          this.node(command, { ...apart(state), source })
          source = this.plan.invocations[first] ?? source
        }
        return { yes: before, no: before }
      }
      case 'For': {
        this.loop(node.name.value, node.wordlist, node.body.commands, state)
        return { yes: before, no: before }
      }
      case 'If': {
        const branches = [
          node.clause,
          node.then,
          ...node.elif.flatMap(({ clause, then }) => [clause, then]),
          ...(node.else ? [node.else] : []),
        ]
        let cwds = before
        for (const list of branches) {
          const branch = { ...state, cwds, conditional: true }
          for (const statement of list.commands) this.statement(statement, branch)
          cwds = either(cwds, branch.cwds)
        }
        state.cwds = cwds
        return { yes: cwds, no: cwds }
      }
      case 'Redirected': {
        this.redirectsOnly(node.redirects, this.text.slice(node.pos, node.end), state)
        return this.node(node.command, state)
      }
      case 'Subshell':
        this.trouble('it uses a subshell')
        for (const statement of node.body.commands) this.statement(statement, apart(state))
        return { yes: before, no: before }
      case 'Function': {
        this.trouble('it defines a function')
        const name = node.name.value
        this.calls.set(name, this.calls.get(name) ?? new Set())
        const inner = { ...apart(state), conditional: true, functions: [...state.functions, name] }
        this.node(node.body, inner)
        return { yes: before, no: before }
      }
      case 'While':
        if (isEndless(node.clause, this.text) && leavesRunning(node.body)) this.plan.recursive = true
        this.trouble('it contains a loop')
        break
      case 'ArithmeticFor':
        if (!node.test && leavesRunning(node.body)) this.plan.recursive = true
        this.trouble('it contains a loop')
        break
      case 'Select':
        this.trouble('it contains a loop')
        break
      case 'Coproc':
        this.trouble('it leaves something running in the background')
        break
      case 'Case':
      case 'BraceGroup':
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.trouble('it uses a construct that can hide what runs')
        break
      default:
        break
    }
    this.inside(node, state)
    return { yes: state.cwds, no: state.cwds }
  }

  /** Looks through a construct that is not followed step by step. */
  inside(node: SyntaxNode, state: State): void {
    forEachChild(node, (child) => {
      if (child.type === 'Word') {
        expandWord(child, this.expandContext(state))
      } else if (child.type === 'Statement') this.statement(child, { ...state, conditional: true })
      else if (child.type === 'ArithmeticCommandExpansion') {
        if (child.script) this.script(child.script, { ...apart(state), depth: state.depth + 1 })
      } else if (isCommandNode(child)) this.node(child, { ...state, conditional: true })
      else this.inside(child, state)
    })
  }

  loop(name: string, words: readonly Word[] | undefined, body: readonly Statement[], state: State): void {
    if (words === undefined) this.trouble('it contains a loop')
    const fields: Field[] = []
    for (const word of words ?? []) {
      const { fields: more, trouble } = expandWord(word, this.expandContext(state))
      if (trouble !== null) this.trouble(`its loop ${trouble}`)
      fields.push(...more)
    }
    if (fields.some((field) => field.pattern !== null)) this.trouble('its loop goes over a pattern')
    const values = fields.length === 0 ? [null] : fields
    for (const field of values) {
      if (this.plan.invocations.length >= MAX_INVOCATIONS) {
        this.plan.unsearched = true
        return
      }
      const plain = field !== null && !field.unknown
      if (!LOOP_NAMES.test(name)) this.trouble(`it sets the variable ${name}`)
      state.variables.set(name, {
        text: plain ? field.text : null,
        loop: plain && field.pattern === null && LOOP_NAMES.test(name),
      })
      const inner = { ...state, cwds: [...state.cwds] }
      for (const statement of body) this.statement(statement, inner)
      if (inner.cwds.join('\0') !== state.cwds.join('\0')) {
        this.trouble('it changes the folder in a loop')
        state.cwds = either(state.cwds, inner.cwds)
      }
    }
    const after = state.variables.get(name)
    if (after) state.variables.set(name, { ...after, loop: false })
  }

  command(command: Command, state: State): Outcome {
    const plan = this.plan
    if (plan.invocations.length >= MAX_INVOCATIONS) {
      plan.unsearched = true
      this.trouble('it has too many parts')
      return { yes: state.cwds, no: state.cwds }
    }
    const invocation: Invocation = {
      text: this.text.slice(command.pos, command.end),
      fields: [],
      assignments: [],
      redirects: [],
      cwds: [...state.cwds],
      source: state.source,
      trouble: null,
    }
    plan.invocations.push(invocation)
    const context = this.expandContext(state)
    const add = (word: Word): void => {
      const { fields, trouble } = expandWord(word, context)
      invocation.fields.push(...fields)
      invocation.trouble ??= trouble
    }

    for (const item of command.prefix) {
      if (item.type !== 'Assignment') continue
      const value = assignedText(item, context)
      invocation.assignments.push({ name: item.name, value })
      // "$(…)" and arrays are evaluated, whatever the variable is called.
      if (item.append || item.index || value === null)
        invocation.trouble ??= 'sets a variable to something that is not plain text'
    }
    if (command.name) add(command.name)
    for (const item of command.args) {
      if (item.type === 'Word') add(item)
      else {
        const value = assignedText(item, context)
        invocation.fields.push({
          text: value === null ? item.text : `${item.name}=${value}`,
          unknown: value === null,
          pattern: null,
        })
        invocation.trouble ??= 'sets a variable'
        assign(state, item.name, value)
      }
    }
    if (invocation.fields.length === 0) for (const { name, value } of invocation.assignments) assign(state, name, value)
    invocation.redirects = this.redirects(command.redirects, state)

    const name = invocation.fields[0]?.text
    if (name !== undefined) for (const caller of state.functions) this.calls.get(caller)?.add(name)
    if (name !== undefined && READERS.has(name)) {
      for (const { text } of invocation.fields.slice(1))
        state.variables.set(text, { text: null, loop: false, anything: true })
    }
    if (name !== 'cd') return { yes: state.cwds, no: state.cwds }
    return changeFolder(invocation, state, this.environment)
  }

  redirectsOnly(redirects: readonly Redirection[], text: string, state: State): void {
    this.plan.invocations.push({
      text,
      fields: [],
      assignments: [],
      redirects: this.redirects(redirects, state),
      cwds: [...state.cwds],
      source: state.source,
      trouble: null,
    })
  }

  redirects(redirections: readonly Redirection[], state: State): Redirect[] {
    if (redirections.some((each) => each.type === 'HereDoc' && !each.closing))
      this.trouble('it is incomplete or not valid shell')
    const context = this.expandContext(state)
    return readRedirects(redirections, context, ({ body }) => {
      this.inside(body, state)
      for (const part of body.parts ?? [])
        if (part.type === 'CommandExpansion' && part.script) context.onScript(part.script)
    })
  }

  expandContext(state: State): ExpandContext {
    return {
      home: this.environment.home,
      cwd: state.cwds.length === 1 ? (state.cwds[0] ?? null) : null,
      variables: state.variables,
      onCalculation: (node) => this.inside(node, state),
      onScript: (script) => {
        const first = this.plan.invocations.length
        const walker =
          script.source === undefined ? this : new Walker(script.source, this.environment, this.plan, this.calls)
        walker.script(script, { ...apart(state), source: null, depth: state.depth + 1 })
        return this.environment.output(this.plan.invocations.slice(first))
      },
    }
  }
}
