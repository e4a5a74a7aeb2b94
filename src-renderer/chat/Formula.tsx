import { createElement, type ReactNode, useEffect, useState } from 'react'
import { Scroll } from '../ui'

/** A longer formula is shown as plain text. */
const longest = 5000

type Render = (tex: string, display: boolean) => ReactNode

let loaded: Render | undefined

/**
 * A formula, drawn with its own fonts and as MathML for screen readers; plain text until that code is loaded, and if
 * the TeX is invalid.
 */
export function Formula({ tex, display }: { tex: string; display: boolean }) {
  const [render, setRender] = useState(() => loaded)
  useEffect(() => {
    if (loaded) return
    import('./render-formula').then(
      ({ formulaElements }) => {
        loaded = (source, block) => elementOf(formulaElements(source, block), 0)
        setRender(() => loaded)
      },
      (error: Error) => console.warn(`No formulas: ${error.message}`),
    )
  }, [])
  const drawn = render && tex.length <= longest ? render(tex, display) : null
  if (!display) return drawn ?? <code className="chat-inline-code">{tex}</code>
  return (
    <Scroll className="chat-formula" label="Formula">
      {drawn ?? <code>{tex}</code>}
    </Scroll>
  )
}

/** An element with its attributes, or a text. */
export type MathNode =
  | string
  | { name: string; attributes: Record<string, string>; style: Record<string, string>; children: MathNode[] }

function elementOf(node: MathNode | null, key: number): ReactNode {
  if (node === null || typeof node === 'string') return node
  const { class: className, ...attributes } = node.attributes
  return createElement(node.name, { ...attributes, className, style: node.style, key }, ...node.children.map(elementOf))
}
