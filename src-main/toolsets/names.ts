/** The vocabularies, the default one first. Apart from them, so that a list of names loads no tool. */
export const toolsetNames = ['deckhand', 'gsv', 'clawft', 'miclaw', 'buddy'] as const

export type ToolsetName = (typeof toolsetNames)[number]
