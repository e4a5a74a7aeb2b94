import type { ReactNode } from 'react'

interface FormRowProps {
  /** The id of the control inside; the ids of hint and error are derived from it. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}

/** A field of a form: its label on the left; the control, the hint and the error on the right. */
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

/** The error of the control with this id. */
export const FieldError = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <p className="page-error" id={`${id}-error`} role="alert">
      {error}
    </p>
  ) : null

/** The attributes that connect a control with its hint or error. */
export const described = (id: string, error: string | undefined, hint = false) => ({
  id,
  'aria-invalid': error !== undefined,
  ...(error || hint ? { 'aria-describedby': error ? `${id}-error` : `${id}-hint` } : {}),
})
