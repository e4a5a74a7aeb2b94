/** What waits to be saved, for people: "the results of 2 calls and 1 message". Empty where it is nothing they would miss. */
export function unsavedWords(keys: readonly string[]): string {
  const count = (...kinds: string[]): number => keys.filter((key) => kinds.includes(key.split(':')[0] ?? '')).length
  const parts = [
    some(count('call'), 'the result of 1 call', (n) => `the results of ${n} calls`),
    some(count('message'), '1 message', (n) => `${n} messages`),
    some(count('exit'), 'the end of 1 process', (n) => `the ends of ${n} processes`),
    some(count('answer'), '1 answer of yours', (n) => `${n} answers of yours`),
  ].filter((part) => part !== '')
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

const some = (number: number, one: string, more: (number: number) => string): string =>
  number === 0 ? '' : number === 1 ? one : more(number)
