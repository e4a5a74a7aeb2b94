import type { Content } from '../../src-preload/contract/content'

export const textContent = (text: string): Content[] => [{ type: 'text', text }]
