export function NotAccepted({ error }: { error: string | null }) {
  if (!error) return null
  return (
    <p className="approval-error" role="alert">
      Your answer was not accepted: {error}
    </p>
  )
}
