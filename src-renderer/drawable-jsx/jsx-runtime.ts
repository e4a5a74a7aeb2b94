import type { ElementType, Key, ReactNode } from 'react'
import { Fragment, jsx as make, jsxs as makeWithList } from 'react/jsx-runtime'
import { drawable } from '../state/marks'

/**
 * Creates every element of the window (see electron.vite.config.ts), like React's own runtime. In addition it makes
 * every text drawable, so that no text that would take seconds to draw reaches the screen, wherever it comes from.
 */
type Props = Record<string, unknown> & { children?: ReactNode }

const named = ['title', 'label', 'aria-label', 'alt'] as const

function safe(props: Props): Props {
  const children = drawableNode(props.children)
  let changed: Props | null = children === props.children ? null : { ...props, children }
  for (const name of named) {
    const text = props[name]
    if (typeof text !== 'string') continue
    const shown = drawable(text)
    if (shown !== text) changed = { ...(changed ?? props), [name]: shown }
  }
  return changed ?? props
}

function drawableNode(node: ReactNode): ReactNode {
  if (typeof node === 'string') return drawable(node)
  if (!Array.isArray(node)) return node
  return node.some((each) => typeof each === 'string' && drawable(each) !== each) ? node.map(drawableNode) : node
}

export const jsx = (type: ElementType, props: Props, key?: Key) => make(type, safe(props), key)
export const jsxs = (type: ElementType, props: Props, key?: Key) => makeWithList(type, safe(props), key)
export { Fragment }
