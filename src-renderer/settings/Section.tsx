import { createContext, type ReactNode, useContext } from 'react'

/** What the settings are searched for, in lower case; empty shows all of them. */
export const SettingsQuery = createContext('')

/** Whether something with these words is among what is searched for. */
export function useFound(...words: (string | undefined)[]): boolean {
  const query = useContext(SettingsQuery)
  return query === '' || words.some((each) => each?.toLowerCase().includes(query))
}

interface SectionProps {
  id: string
  title: string
  /** Found by these words too; with them the whole section is shown. Without them each field decides for itself. */
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
