import katex from 'katex'
import 'katex/dist/katex.min.css'
import type { MathNode } from './Formula'

/**
 * Only elements that draw, as MathML for screen readers and as HTML for the screen: nothing that links, loads or acts.
 */
const elements = new Set(
  'math semantics mrow mi mo mn ms mtext mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd mpadded mphantom menclose mstyle span svg path line'.split(
    ' ',
  ),
)
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator accent accentunder lspace rspace minsize maxsize largeop movablelimits linethickness width height depth voffset columnalign rowspacing columnspacing columnlines rowlines notation symmetric class aria-hidden viewBox preserveAspectRatio d x1 y1 x2 y2 stroke-width'.split(
    ' ',
  ),
)

const styles =
  /^(?:height|width|min-width|top|bottom|left|right|position|vertical-align|color|background-color|(?:margin|padding)(?:-[a-z]+)?|border(?:-[a-z]+)*)$/

/** A formula as elements; null if the TeX is invalid. */
export function formulaElements(tex: string, display: boolean): MathNode | null {
  let html: string
  try {
    html = katex.renderToString(tex, {
      output: 'htmlAndMathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      // No links, images or classes from inside a formula, and no endless macros.
      trust: false,
      maxExpand: 500,
      maxSize: 20,
    })
  } catch {
    return null
  }
  const drawn = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild
  return drawn && nodeOf(drawn)
}

function nodeOf(node: Node): MathNode | null {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? ''
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (!elements.has(name)) return null
  const kept = [...node.attributes].filter((each) => attributes.has(each.name)).map((each) => [each.name, each.value])
  const children = [...node.childNodes].map(nodeOf).filter((child) => child !== null)
  return { name, attributes: Object.fromEntries(kept), style: styleOf(node), children }
}

/** The style in React's form. */
function styleOf(node: Element): Record<string, string> {
  if (!(node instanceof HTMLElement)) return {}
  const { style } = node
  const names = [...style].filter((name) => styles.test(name))
  return Object.fromEntries(
    names.map((name) => [name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()), style.getPropertyValue(name)]),
  )
}
