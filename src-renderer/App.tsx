import { useDeckhand } from './state/store'

/** The window: what it shows before main has answered, and the columns once it has. */
export function App() {
  const connection = useDeckhand((state) => state.connection)
  return <main data-connection={connection} />
}
