import { randomUUID } from 'node:crypto'
import type { BackendQuestion } from '../../../src-preload/contract/backends'
import type { SshQuestion } from './askpass'

/** Open questions of ssh to the user. Answers are passed on and not stored. */
export interface SshQuestions {
  list(): BackendQuestion[]
  ask(node: string, question: SshQuestion): Promise<string | null>
  answer(id: string, answer: string | null): void
  /** Drops the open questions about this node. */
  drop(node: string): void
}

export function createSshQuestions(announce: (questions: BackendQuestion[]) => void): SshQuestions {
  const waiting = new Map<string, { question: BackendQuestion; resolve(answer: string | null): void }>()
  const list = () => [...waiting.values()].map(({ question }) => question)
  const settle = (id: string, answer: string | null): void => {
    waiting.get(id)?.resolve(answer)
    if (waiting.delete(id)) announce(list())
  }
  return {
    list,
    ask(node, { prompt, kind }) {
      const id = randomUUID()
      return new Promise((resolve) => {
        waiting.set(id, { question: { id, node, prompt, kind }, resolve })
        announce(list())
      })
    },
    answer: settle,
    drop(node) {
      for (const { id } of list().filter((each) => each.node === node)) settle(id, null)
    },
  }
}
