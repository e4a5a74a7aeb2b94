import { type Lesson, type LessonBook, newLessonBook } from '../agent/lessons'
import { readJsonFile, writeJsonFile } from './json-file'

/** Lessons expire after this time, since servers get fixed. */
const validMs = 30 * 24 * 60 * 60 * 1000

interface Kept extends Lesson {
  at: number
}

/**
 * Stores what was learned from the refusals of model servers (parameters, APIs, limits), so that no session has to find
 * out again. The file is read when a model is first used, and can be deleted at any time.
 */
export const openModelLessons = (path: string, log: (error: unknown) => void, now: () => number = Date.now) => {
  let content: Record<string, unknown> | null = null
  const books = new Map<string, LessonBook>()

  const read = (): Record<string, unknown> => {
    if (content) return content
    try {
      content = readJsonFile(path, now()).content
    } catch (error) {
      log(error)
      content = {}
    }
    return content
  }

  const known = (address: string): [string, Kept][] => {
    const section = read()[address]
    if (typeof section !== 'object' || section === null) return []
    return Object.entries(section as Record<string, Kept>).filter(([, lesson]) => now() - Number(lesson?.at) < validMs)
  }

  return {
    /** The lessons about one server. */
    bookFor: (address: string): LessonBook => {
      const open = books.get(address)
      if (open) return open
      const book = newLessonBook(known(address), () => {
        const kept = [...book.lessons].map(([model, lesson]) => [model, { at: now(), ...lesson }])
        read()[address] = Object.fromEntries(kept)
        try {
          writeJsonFile(path, read())
        } catch (error) {
          // Not saved, so it will be learned again after the next start.
          log(error)
        }
      })
      books.set(address, book)
      return book
    },
  }
}

export type ModelLessons = ReturnType<typeof openModelLessons>
