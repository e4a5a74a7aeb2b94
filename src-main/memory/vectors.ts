import type { MemoryRows } from './rows'

/** All vectors of one agent in one array, which is the fastest to iterate over. */
interface Matrix {
  stamp: string
  ids: number[]
  places: Map<number, number>
  numbers: Float32Array
}

export interface Nearness {
  ids: readonly number[]
  has(id: number): boolean
  /** The cosine between the question and each passage, in the order of `ids`. */
  cosines: Float32Array
}

/** Keeps the vectors in memory, and reads only missing ones from the database. */
export function createVectors(rows: MemoryRows) {
  const matrices = new Map<string, Matrix>()

  const matrixOf = (agentId: string, length: number): Matrix => {
    const stamp = rows.stamp(agentId)
    const known = matrices.get(agentId)
    if (known?.stamp === stamp) return known
    const ids = rows.embeddedIds(agentId)
    const numbers = new Float32Array(ids.length * length)
    ids.forEach((id, place) => {
      const old = known?.places.get(id)
      const vector = old === undefined ? rows.vector(id) : known?.numbers.subarray(old * length, (old + 1) * length)
      if (vector?.length === length) numbers.set(vector, place * length)
    })
    const matrix = { stamp, ids, numbers, places: new Map(ids.map((id, place) => [id, place])) }
    matrices.set(agentId, matrix)
    return matrix
  }

  /** The similarity of each passage of an agent to a question. All vectors have length 1, so it is the dot product. */
  return (agentId: string, query: Float32Array): Nearness => {
    const { length } = query
    const { ids, numbers, places } = matrixOf(agentId, length)
    const cosines = new Float32Array(ids.length)
    for (let place = 0, at = 0; place < ids.length; place++) {
      let sum = 0
      for (let i = 0; i < length; i++, at++) sum += (numbers[at] as number) * (query[i] as number)
      cosines[place] = sum
    }
    return { ids, cosines, has: (id) => places.has(id) }
  }
}
