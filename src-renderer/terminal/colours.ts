import type { ITheme } from '@xterm/xterm'

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/**
 * The terminal's colors, from the tokens of the theme that applies to the pane. During a search the selection is the
 * current match, which should stand out from all others.
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

/** The colors of search matches; the addon needs plain `#rrggbb`, which the tokens are. */
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
