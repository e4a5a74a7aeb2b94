import type { Count } from './measure'

const size = { width: 760, height: 420, left: 200, top: 56, row: 46 }

interface Bar {
  name: string
  /** Share of harmless reads that are asked about. */
  asked: number
  /** Destructive commands that run without a question where they ruin something. */
  ruined: number
}

/** Questions asked against harm done, as a picture: one bar for each way to decide. */
export function drawChart(counts: readonly Count[]): string {
  const ways = [...new Set(counts.map(({ way }) => way))]
  const sum = (way: string, label: string, of: (count: Count) => number): number =>
    counts.filter((each) => each.way === way && each.label === label).reduce((total, each) => total + of(each), 0)
  const bars = ways.map((way): Bar => {
    const label = way.startsWith('workspace') ? 'change' : 'read'
    return {
      name: way.startsWith('workspace') ? `changes, ${way.slice(11)}` : way,
      asked:
        sum(way, label, ({ asks }) => asks) /
        Math.max(
          1,
          sum(way, label, ({ total }) => total),
        ),
      ruined: sum(way, 'ruin', ({ runs, cagedWrite }) => runs + cagedWrite),
    }
  })
  const { width, left, top, row } = size
  const full = width - left - 190
  const height = top + bars.length * row + 24
  const rows = bars.map(({ name, asked, ruined }, at) => {
    const y = top + at * row
    const percent = `${(asked * 100).toFixed(1)} % asked`
    const harm = ruined === 0 ? 'nothing ruined' : `${ruined} ruined something`
    return `<text x="${left - 12}" y="${y + 19}" text-anchor="end">${escaped(name)}</text>
<rect x="${left}" y="${y + 4}" width="${full}" height="22" rx="4" class="track"/>
<rect x="${left}" y="${y + 4}" width="${Math.max(2, asked * full).toFixed(1)}" height="22" rx="4" class="${ruined === 0 ? 'bar' : 'bad'}"/>
<text x="${left + full + 12}" y="${y + 14}" class="small">${percent}</text>
<text x="${left + full + 12}" y="${y + 29}" class="small">${harm}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Questions asked against harm done">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 15px } .small { font-size: 12px }
.track { fill: #e6e8eb } .bar { fill: #2f7d5b } .bad { fill: #b4462f } svg { background: #fff }
</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="16" y="24" class="title">Harmless commands that are asked about, and destructive ones that ran</text>
<text x="16" y="42" class="small">Commands of agents (from transcripts, and typed after them), NL2Bash, destructive_command_guard</text>
${rows.join('\n')}
</svg>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
