import { useState } from 'react'
import { announce } from '../state/toasts'
import type { ReportState } from './Report'

/**
 * What is being typed into a form. Errors are told once somebody wants to finish it, and then as they come and go; how the
 * last try went is forgotten with the next change.
 */
export function useDraft<Draft extends object, Field extends string>(
  start: Draft,
  errorsOf: (draft: Draft) => Partial<Record<Field, string>>,
) {
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<ReportState>(null)
  const wrong = errorsOf(draft)
  const told: typeof wrong = checked ? wrong : {}

  /** Does something with a draft that is right, says so meanwhile, and shows what `done` has to report. */
  function attempt<Result>(words: string, work: () => Promise<Result>, done: (result: Result) => ReportState): void {
    setChecked(true)
    if (Object.keys(wrong).length > 0) return
    setReport({ tone: 'busy', words })
    work().then(
      (result) => setReport(done(result)),
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }

  return {
    draft,
    errors: told,
    report,
    attempt,
    change(part: Partial<Draft>): void {
      setDraft({ ...draft, ...part })
      setReport(null)
    },
    /** Keeps a draft that is right, under its name, and is done with the form. */
    save(name: string, work: () => Promise<unknown>, onDone: () => void): void {
      attempt('Saving…', work, () => {
        announce(`Saved ${name}`)
        onDone()
        return null
      })
    },
  }
}
