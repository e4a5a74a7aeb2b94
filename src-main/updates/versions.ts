/** Negative when `one` is older. What follows the three numbers (`~development`, `-beta.1`) comes before the release. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  for (const place of [0, 1, 2]) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b.early) - Number(a.early)
}

function partsOf(version: string): { numbers: number[]; early: boolean } {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(version) ?? []
  return { numbers: numbers.split('.').map(Number), early: rest !== '' }
}
