/** The names that a slip of the keyboard or of a model most likely meant, best first. */
export function nearest(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const target = simplify(wanted)
  return [...names]
    .map((name) => ({ name, distance: rank(target, simplify(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}

const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A name that contains the other is near, however much longer it is: `read_file` means `Read`. */
function rank(wanted: string, name: string): number {
  if (wanted === name) return 0
  if (Math.min(wanted.length, name.length) > 2 && (wanted.includes(name) || name.includes(wanted))) return 1
  return editDistance(wanted, name)
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
