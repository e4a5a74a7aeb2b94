export type TextContent = { type: 'text'; text: string }

type ImageContent = { type: 'image'; data: string; mimeType: string }

/** What a model reads: the parts of a user's message or of a tool's result. */
export type Content = TextContent | ImageContent
