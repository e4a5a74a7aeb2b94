import type { SubCommand } from '../../../src-preload/contract/approval'
import { factsOf } from '../programs/registry'
import { baseName } from '../shell/program-name'

/** Whether the output of a command may hold text by others, which a model might take for instructions. */
export const printsForeignText = (parts: readonly Pick<SubCommand, 'text' | 'effects'>[]): boolean =>
  parts.some(({ text, effects }) => {
    const [program = '', ...words] = text.trim().split(/\s+/)
    const foreign = factsOf(baseName(program))?.foreignText
    if (typeof foreign === 'function') return foreign(` ${words.join(' ')} `)
    return foreign === 'always' || (foreign === 'when it connects' && effects?.connects !== undefined)
  })
