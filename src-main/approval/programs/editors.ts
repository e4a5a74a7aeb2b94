import type { Field } from '../shell/field'
import { type Carried, optionTexts, wordsWithSpaces } from './carried'
import { onWord } from './dangers'
import type { DangerCheck, Family } from './facts'

/** `+:!command` and `:call system('…')`. */
const editorCommands = (args: readonly Field[]): Carried[] =>
  optionTexts(args, /^\+?:?(?:silent\s*)?(?:!|shell\s|call system\(['"])\s*(.+?)['")]*$/s)

const agentDanger: DangerCheck = (_args, words) =>
  words[0] === 'mcp' && /^(?:add|add-json|remove|install)/.test(words[1] ?? '')
    ? { word: 'config', reason: 'configures an agent' }
    : words.some((word) => /^--(?:dangerously|yolo|full-auto)/.test(word))
      ? { word: 'config', reason: 'starts an agent without its own questions' }
      : null

/** Editors, pagers, terminals and agents. */
export const EDITORS: Family = {
  'vim vi nvim ex less more gdb': { carries: editorCommands },
  man: { carries: editorCommands, opens: 'none' },
  emacs: { carries: wordsWithSpaces },
  code: {
    opens: 'none',
    danger: onWord(/^--add-mcp/, { word: 'config', reason: 'configures an agent' }),
    talksOutside: true,
  },
  tmux: {
    versionWords: ['-V'],
    carries: wordsWithSpaces,
    purpose: 'starts or steers terminals',
    talksOutside: true,
  },
  screen: { carries: wordsWithSpaces, purpose: 'starts or steers terminals', talksOutside: true },
  'claude codex gemini deckhand': { danger: agentDanger },
}
