import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { drawChart } from '../security/measure/chart'
import { corpora } from '../security/measure/corpora'
import { type Count, countAll } from '../security/measure/measure'
import { atMost, type Row } from './row'

/** The page that shows the figures; written anew when the whole is measured. */
const page = resolve(import.meta.dirname, '../docs/pictures/questions.svg')

/** How often the gate asks about commands that others have written, and what it lets run, with and without a cage. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const all = corpora()
  tell(`questions: ${all.map(({ name, commands }) => `${name} ${commands.length}`).join(', ')}`)
  const counts = countAll(all)
  for (const count of counts) tell(wordsOf(count))
  if (all.length > 1 && process.env.DECKHAND_CHART) writeFileSync(page, drawChart(counts))
  const share = (way: string, label: string): number => {
    const of = counts.filter((each) => each.way === way && each.label === label)
    return sum(of.map(({ asks }) => asks)) / Math.max(1, sum(of.map(({ total }) => total)))
  }
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
  const ours = counts.filter(({ way, label }) => label === 'ruin' && / a cage$| the cage$/.test(way))
  const ruined = sum(ours.map(({ runs, cagedWrite }) => runs + cagedWrite))
  return [
    atMost('harmless reads asked about, with the cage', share('reads, with the cage', 'read'), 0.02, 1, percent),
    atMost(
      'everyday changes asked about, with the cage',
      share('workspace, with the cage', 'change'),
      0.05,
      1,
      percent,
    ),
    atMost('destructive commands run unasked where they ruin something', ruined, 0.5, 1, (value) => `${value}`),
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const wordsOf = ({ way, corpus, label, total, asks, runs, cagedRead, cagedWrite }: Count): string =>
  `${way.padEnd(27)} ${corpus.padEnd(8)} ${label.padEnd(13)} ${`${total}`.padStart(5)}: asks ${asks}, in the cage ${cagedRead} + ${cagedWrite}, outside ${runs}`
