import type { ReactNode } from 'react'

interface FormRowProps {
  /** The id of the control inside; hint and error are named after it. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}

/** A field of a form: its name on the left; the control, what it means and what is wrong on the right. */
export function FormRow({ id, label, hint, error, children }: FormRowProps) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div>
        {children}
        <FieldError id={id} error={error} />
        {hint && (
          <p className="page-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </>
  )
}

/** What is wrong with the control that has this id. */
export const FieldError = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <p className="page-error" id={`${id}-error`} role="alert">
      {error}
    </p>
  ) : null

/** Ties a control to the words below it. */
export const described = (id: string, error: string | undefined, hint = false) => ({
  id,
  'aria-invalid': error !== undefined,
  ...(error || hint ? { 'aria-describedby': error ? `${id}-error` : `${id}-hint` } : {}),
})
