/** The default one first. In a file of their own, so that listing the names does not load the tools. */
export const toolsetNames = ['deckhand', 'gsv', 'clawft', 'miclaw', 'buddy'] as const

export type ToolsetName = (typeof toolsetNames)[number]
