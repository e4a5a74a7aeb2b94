export interface NumberBounds {
  min: number
  max: number
  whole?: boolean
}

/** What is wrong with a typed number, or undefined. */
export function numberError(text: string, { min, max, whole = false }: NumberBounds): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return 'Enter a number.'
  if (value < min || value > max) return `Enter a number from ${min} to ${max}.`
  if (whole && !Number.isInteger(value)) return 'Enter a whole number.'
  return undefined
}
