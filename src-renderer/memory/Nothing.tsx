import { BookOpen } from 'lucide-react'
import { Empty } from '../ui'

/** Stands where there is no passage to show, and says why. */
export function Nothing({ title, words }: { title: string; words: string }) {
  return (
    <Empty icon={<BookOpen size={28} />} title={title}>
      <p>{words}</p>
    </Empty>
  )
}
