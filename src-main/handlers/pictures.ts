import type { pictureCalls } from '../../src-preload/contract/picture-calls'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

const mostBytes = 10 * 1024 * 1024
const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/

/** Pictures that are not in a message itself. */
export function pictureHandlers({ web }: Engine): HandlersFor<typeof pictureCalls> {
  return {
    'diagram.draw': async ({ text, theme }) => (await import('./draw-diagram')).drawDiagram(text, theme),
    'picture.load': async ({ url }) => {
      const { status, contentType, body, whole, redirect } = await web.fetch({ url, keepBytes: mostBytes })
      if (redirect !== undefined) throw new Error(`This image was moved to another site: ${redirect}`)
      if (status !== 200) throw new Error(`The server answered with ${status}.`)
      if (!whole) throw new Error('This image is larger than 10 MB.')
      const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
      if (!shown.test(type))
        throw new Error(`This address has no image that can be shown (${type || 'no type given'}).`)
      return `data:${type};base64,${body.toString('base64')}`
    },
  }
}
