/**
 * Draws commands that an agent really ran from the transcripts in the history of a public repository:
 *   node security/measure/draw-transcripts.mjs <clone of SWE-agent/mini-swe-agent> <corpora>/transcripts/commands.tsv
 * The order of the draw is that of the commands' checksums, so that the same transcripts give the same 300 commands.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const DRAWN = 300
const most = 1024 * 1024 * 1024
const [clone, target] = process.argv.slice(2)
if (!clone || !target) {
  console.error('usage: draw-transcripts.mjs <clone> <file>')
  process.exit(2)
}

const git = (args, input) => execFileSync('git', ['-C', clone, ...args], { input, maxBuffer: most, encoding: 'utf8' })
const blobs = new Map(
  git(['rev-list', '--objects', '--all', '--missing=allow-any'])
    .split('\n')
    .filter((line) => line.endsWith('.traj.json'))
    .map((line) => [line.slice(0, 40), line.slice(41)]),
)
const present = git(['cat-file', '--batch-check'], [...blobs.keys()].join('\n'))
  .split('\n')
  .filter((line) => / blob /.test(line))
  .map((line) => line.slice(0, 40))

/** In a call of the shell tool, or in the one block of code of an answer. */
function commandsOf(text) {
  const parsed = JSON.parse(text)
  const answers = (Array.isArray(parsed) ? parsed : (parsed.messages ?? [])).filter(({ role }) => role === 'assistant')
  return answers.flatMap(({ content, tool_calls: calls }) => [
    ...(calls ?? []).flatMap((call) => JSON.parse(call.function?.arguments ?? '{}').command ?? []),
    ...(typeof content === 'string'
      ? [...content.matchAll(/```(?:bash|mswea_bash_command)\n([\s\S]*?)\n```/g)]
      : []
    ).map(([, command]) => command),
  ])
}

const found = new Map()
for (const blob of present) {
  for (const command of commandsOf(git(['cat-file', 'blob', blob]))) {
    if (typeof command === 'string' && !found.has(command.trim())) found.set(command.trim(), blobs.get(blob))
  }
}
const checksum = (text) => createHash('sha256').update(text).digest('hex')
const drawn = [...found].sort(([a], [b]) => (checksum(a) < checksum(b) ? -1 : 1)).slice(0, DRAWN)
const line = ([command, source]) => `${source}\t${command.replaceAll('\t', ' ').replaceAll('\n', '\\n')}`
mkdirSync(dirname(target), { recursive: true })
writeFileSync(
  target,
  `# ${drawn.length} of ${found.size} in ${present.length} transcripts\n${drawn.map(line).join('\n')}\n`,
)
console.log(`${drawn.length} of ${found.size} different commands, from ${present.length} transcripts`)
