import './page.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui'
import { Report, type ReportState } from './Report'

interface FormProps {
  /** For screen readers: what is being added or changed. */
  label: string
  /** The label of the button that submits it. */
  submit?: ReactNode
  disabled?: boolean
  report: ReportState
  /** Buttons between submit and cancel. */
  actions?: ReactNode
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** A form on a page: its rows, the buttons below them, and the result of the last attempt. */
export function Form({ label, submit = 'Save', disabled, report, actions, onSubmit, onCancel, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input.ui-input, textarea') ?? [])]
    ;(fields.find((field) => field.value === '') ?? fields[0])?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <form
      ref={form}
      className="page-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      noValidate
    >
      {children}
      <div className="ui-row page-form-foot">
        <Button kind="primary" type="submit" disabled={disabled || report?.tone === 'busy'}>
          {submit}
        </Button>
        {actions}
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Report report={report} />
      </div>
    </form>
  )
}
