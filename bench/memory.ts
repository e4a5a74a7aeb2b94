import { createLocalEmbedder, type Embedder } from '../src-main/memory/embedder'
import { notes, paraphrasedQuestions, plainQuestions } from '../src-main/memory/retrieval-set'
import { createMemoryBench } from '../src-main/memory/test-bench'
import { atMost, milliseconds, quantile, type Row } from './row'

const passages = 10_000
const perFile = 100
const rounds = 3

/** Looking something up among 10,000 passages, beside the least it can cost: turning the question into a vector. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const real = createLocalEmbedder()
  // Where the notes point is of no matter for how long it takes to compare them all, and to compute it takes minutes.
  const embedder: Embedder = {
    ...real,
    embed: (text, when) => (when === 'now' ? real.embed(text, when) : Promise.resolve(anyDirection())),
  }
  const bench = createMemoryBench({ embedder })
  try {
    tell(`memory: writing ${passages} passages`)
    const random = seeded(7)
    const words = vocabulary()
    const sentence = (): string =>
      Array.from({ length: 24 }, () => words[Math.floor(random() ** 2 * words.length)] ?? '').join(' ')
    for (let file = 0; file < passages / perFile; file++)
      await bench.files.write('main', `memory/${file}.md`, Array.from({ length: perFile }, sentence).join('\n\n'))
    await bench.settled()
    const questions = [...plainQuestions, ...paraphrasedQuestions].map(([question]) => question)
    await bench.memory.search('main', { query: 'the first one loads the model and the vectors' })

    const bare: number[] = []
    const whole: number[] = []
    for (let round = 0; round < rounds; round++) {
      tell(`memory: round ${round + 1} of ${rounds}`)
      for (const question of questions) {
        bare.push(await timed(() => real.embed(question, 'now')))
        whole.push(await timed(() => bench.memory.search('main', { query: question })))
      }
    }
    const what = `search in ${passages.toLocaleString('en')} passages, p95, beside embedding the question`
    return [atMost(what, quantile(whole, 0.95), quantile(bare, 0.95), 3, milliseconds)]
  } finally {
    await bench.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Words as they are spread in real notes: a few are everywhere, most are rare. */
function vocabulary(): string[] {
  const known = Object.values(notes).flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? [])
  return [...new Set(known), ...Array.from({ length: 4000 }, (_, n) => `word${n.toString(36)}`)]
}

function anyDirection(): Float32Array {
  const vector = Float32Array.from({ length: 384 }, () => Math.random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** The same notes in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
