import { placesIn } from './place'

/** Not an HTML element, so that it can only come from here. */
export const placeTag = 'prose-place'

interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: object
  children?: Node[]
}

/** Code and links are handled elsewhere. */
const left = new Set(['code', 'pre', 'a'])
const mostInText = 100

/** Marks the files that a text names, with a line or in a folder; whether they exist is checked when they are shown. */
export const placesInProse = () => (tree: Node) => {
  let room = mostInText
  const walk = (node: Node): void => {
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text' && room > 0) {
        const pieces = split(child.value ?? '')
        room -= pieces.length
        return pieces
      }
      if (!left.has(child.tagName ?? '')) walk(child)
      return [child]
    })
  }
  walk(tree)
}

function split(text: string): Node[] {
  // Almost no text names one.
  if (!/[/:#(]/.test(text)) return [{ type: 'text', value: text }]
  const pieces: Node[] = []
  let done = 0
  for (const { place, text: name, from, to } of placesIn(text)) {
    // In prose "and/or" and "e.g." look like paths as well.
    if (place.line === undefined && !/\/[^/]*\.\w{1,10}$/.test(place.path)) continue
    pieces.push({ type: 'text', value: text.slice(done, from) })
    pieces.push({ type: 'element', tagName: placeTag, properties: {}, children: [{ type: 'text', value: name }] })
    done = to
  }
  return [...pieces, { type: 'text', value: text.slice(done) }]
}
