import { createContext, type ReactNode, useContext } from 'react'

/** The search text of the settings, in lower case; empty shows all. */
export const SettingsQuery = createContext('')

/** Whether something with these words matches the search. */
export function useFound(...words: (string | undefined)[]): boolean {
  const query = useContext(SettingsQuery)
  return query === '' || words.some((each) => each?.toLowerCase().includes(query))
}

interface SectionProps {
  id: string
  title: string
  /**
   * Further words that match the search and then show the whole section. Without them each field decides for itself.
   */
  words?: string
  children: ReactNode
}

export function Section({ id, title, words, children }: SectionProps) {
  const query = useContext(SettingsQuery)
  const whole = useFound(title, words)
  if (words !== undefined && !whole) return null
  return (
    <SettingsQuery value={whole ? '' : query}>
      <section
        className="settings-section"
        id={`settings-${id}`}
        aria-labelledby={`settings-${id}-title`}
        data-whole={whole || undefined}
      >
        <h2 id={`settings-${id}-title`}>{title}</h2>
        {children}
      </section>
    </SettingsQuery>
  )
}
