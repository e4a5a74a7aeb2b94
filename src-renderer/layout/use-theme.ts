import { useEffect } from 'react'
import { useDeckhand } from '../state/store'

/** Keeps `data-theme` on the document: the chosen theme, or the system's while none is chosen. */
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
