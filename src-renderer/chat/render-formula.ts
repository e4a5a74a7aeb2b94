import katex from 'katex'
import type { MathNode } from './Formula'

/** Of MathML only what draws: nothing that links, loads or acts. */
const elements = new Set(
  'math semantics mrow mi mo mn ms mtext mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd mpadded mphantom menclose mstyle'.split(
    ' ',
  ),
)
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator accent accentunder lspace rspace minsize maxsize largeop movablelimits linethickness width height depth voffset columnalign rowspacing columnspacing columnlines rowlines notation symmetric'.split(
    ' ',
  ),
)

/** A formula as elements of MathML; null where TeX finds a mistake. */
export function formulaElements(tex: string, display: boolean): MathNode | null {
  let html: string
  try {
    html = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      // No links, images or classes from within a formula, and macros that end.
      trust: false,
      maxExpand: 500,
      maxSize: 20,
    })
  } catch {
    return null
  }
  const math = new DOMParser().parseFromString(html, 'text/html').querySelector('math')
  return math && nodeOf(math)
}

function nodeOf(node: Node): MathNode | null {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? ''
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (!elements.has(name)) return null
  const kept = [...node.attributes].filter((each) => attributes.has(each.name)).map((each) => [each.name, each.value])
  const children = [...node.childNodes].map(nodeOf).filter((child) => child !== null)
  return { name, attributes: Object.fromEntries(kept), children }
}
