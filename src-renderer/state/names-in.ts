/** The names in a record that has exactly these, in their order. */
export const namesIn = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[]
