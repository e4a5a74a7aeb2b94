import type { ITheme } from '@xterm/xterm'

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/**
 * The terminal's colours, read from the tokens of the theme that holds where the pane stands. While something is searched
 * for the selection is the hit that the search stands at, which should be seen before all others.
 */
export function readTheme(element: HTMLElement, searching = false): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(`--term-${name}`).trim()
  const sixteen = NAMES.flatMap((name) => [
    [name, token(name)],
    [`bright${name.charAt(0).toUpperCase()}${name.slice(1)}`, token(`bright-${name}`)],
  ])
  const scrollbar = style.getPropertyValue('--line-strong').trim()
  return {
    ...Object.fromEntries(sixteen),
    background: token('bg'),
    foreground: token('fg'),
    cursor: token('cursor'),
    cursorAccent: token('bg'),
    selectionBackground: token('selection'),
    selectionInactiveBackground: searching ? style.getPropertyValue('--wait-solid').trim() : token('selection'),
    scrollbarSliderBackground: scrollbar,
    scrollbarSliderHoverBackground: scrollbar,
    scrollbarSliderActiveBackground: scrollbar,
    overviewRulerBorder: token('bg'),
  }
}

/** How matches of a search are marked; the addon wants plain `#rrggbb`, which the tokens are. */
export function readMatchColours(element: HTMLElement) {
  const style = getComputedStyle(element)
  const mark = style.getPropertyValue('--mark').trim()
  const current = style.getPropertyValue('--wait-solid').trim()
  return {
    matchBackground: mark,
    matchOverviewRuler: mark,
    activeMatchBackground: current,
    activeMatchColorOverviewRuler: current,
  }
}

/** Calls back when the window changes between light and dark. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
  return () => observer.disconnect()
}
