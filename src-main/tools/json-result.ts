import type { Content } from '../../src-preload/contract/protocol'

/** A result that a model reads as one compact JSON object. */
export const jsonContent = (value: object): Content[] => [{ type: 'text', text: JSON.stringify(value) }]
