import { visible } from '../state/format'

type Attributes = Record<string, string | undefined>

/** An element with drawable text; nothing is parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value)
  made.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)))
  return made
}
