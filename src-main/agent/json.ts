import { isRecord } from '../is-record'

/**
 * Reading what servers send. Their chunks come by the thousand and differ in every detail, so each field is looked at by
 * itself and what is missing or of another type is passed over.
 */

export const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The object that a JSON text holds, or null when it holds anything else or is no JSON. */
export const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
