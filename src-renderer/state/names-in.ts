/** The keys of a record with exactly these keys, in order. */
export const namesIn = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[]
