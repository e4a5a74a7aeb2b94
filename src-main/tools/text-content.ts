import type { Content } from '../../src-preload/contract/content'

/** Plain text as the content of a result. */
export const textContent = (text: string): Content[] => [{ type: 'text', text }]
