import { type ISearchResultChangeEvent, SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { readMatchColours, readTheme, watchTheme } from './colours'

type Direction = 'next' | 'previous'

/** Finds text in a terminal, and sets its colors: those of the selection depend on whether there is a search. */
export function createSearch(
  terminal: Terminal,
  element: HTMLElement,
  onMatches: (result: ISearchResultChangeEvent) => void,
) {
  const addon = new SearchAddon({ highlightLimit: 1000 })
  terminal.loadAddon(addon)
  addon.onDidChangeResults(onMatches)

  let query = ''
  const setQuery = (text: string) => {
    if ((text === '') !== (query === '')) terminal.options.theme = readTheme(element, text !== '')
    query = text
  }
  const find = (direction: Direction, incremental = false) => {
    const found = { decorations: readMatchColours(element), incremental }
    if (direction === 'next') addon.findNext(query, found)
    else addon.findPrevious(query, found)
  }
  const stopTheme = watchTheme(() => {
    terminal.options.theme = readTheme(element, query !== '')
    if (query === '') return
    addon.clearDecorations()
    find('previous', true)
  })

  return {
    find(text: string, direction: Direction) {
      setQuery(text)
      find(direction)
    },
    end() {
      setQuery('')
      addon.clearDecorations()
      terminal.clearSelection()
    },
    dispose: stopTheme,
  }
}
