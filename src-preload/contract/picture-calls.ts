import { z } from 'zod'
import { call, read, webAddress } from './call'

/** The text of a diagram that is still drawn; a longer one is shown as text. */
export const longestDiagram = 20_000

/** Pictures that are not in a message itself. */
export const pictureCalls = {
  /** A diagram in the language of Mermaid as an SVG image, or what is wrong with its text. */
  'diagram.draw': read<{ svg: string } | { problem: string }>()(() =>
    z.strictObject({ text: z.string().min(1).max(longestDiagram), theme: z.enum(['light', 'dark']) }),
  ),
  /** Fetches an image of the web that an answer names, and answers with it as a data address. */
  'picture.load': call<string>()(
    () => z.strictObject({ url: webAddress }),
    ({ url }) => `Load an image from ${hostOf(url)}?`,
  ),
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? url
