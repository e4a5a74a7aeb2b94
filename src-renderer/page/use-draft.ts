import { useState } from 'react'
import { announce } from '../state/toasts'
import type { ReportState } from './Report'

type TextFields<Draft> = { [Name in keyof Draft]: string extends Draft[Name] ? Name : never }[keyof Draft]

/** What the row for a text of the draft needs: its value, its error, and how to change it. */
export type FieldOf<Draft> = (name: TextFields<Draft>) => {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/**
 * The contents of a form. Errors are shown after the first attempt to submit it, and then as they come and go; the
 * result of the last attempt is cleared by the next change.
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

  /** Runs `work` on a valid draft, shows `words` meanwhile, and then what `done` reports. */
  function attempt<Result>(words: string, work: () => Promise<Result>, done: (result: Result) => ReportState): void {
    setChecked(true)
    if (Object.keys(wrong).length > 0) return
    setReport({ tone: 'busy', words })
    work().then(
      (result) => setReport(done(result)),
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }

  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part })
    setReport(null)
  }
  const texts: Partial<Record<PropertyKey, string>> = told
  const field: FieldOf<Draft> = (name) => ({
    value: String(draft[name]),
    error: texts[name],
    onChange: (value) => {
      setDraft({ ...draft, [name]: value })
      setReport(null)
    },
  })

  return {
    draft,
    errors: told,
    report,
    attempt,
    change,
    field,
    /** Saves a valid draft, announces its name, and closes the form. */
    save(name: string, work: () => Promise<unknown>, onDone: () => void): void {
      attempt('Saving…', work, () => {
        announce(`Saved ${name}`)
        onDone()
        return null
      })
    },
  }
}
