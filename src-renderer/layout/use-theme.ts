import { useEffect, useSyncExternalStore } from 'react'
import { useDeckhand } from '../state/store'

/** Puts the user's fonts before the default ones. */
export function useFonts(): void {
  const ui = useDeckhand((state) => state.settings?.interfaceFont ?? '')
  const code = useDeckhand((state) => state.settings?.codeFont ?? '')
  useEffect(() => {
    const { style } = document.documentElement
    const set = (name: string, family: string, usual: string) => {
      if (family) style.setProperty(name, `"${family}", ${usual}`)
      else style.removeProperty(name)
    }
    set('--font-ui', ui, 'system-ui, sans-serif')
    set('--font-mono', code, 'monospace')
  }, [ui, code])
}

/** Keeps `data-theme` on the document: the chosen theme, or the system's if none is chosen. */
export function useTheme(): void {
  const theme = useDeckhand((state) => state.settings?.theme ?? 'system')
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme])
}

/** The current theme, for content that is drawn in it. */
export const useShownTheme = (): 'light' | 'dark' => useSyncExternalStore(watchTheme, shownTheme, () => 'light')

const shownTheme = () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
