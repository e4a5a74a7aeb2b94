import { BookOpen } from 'lucide-react'
import { Empty } from '../ui'

/** Shown if there is no passage, with the reason. */
export function NoPassages({ title, words }: { title: string; words: string }) {
  return (
    <Empty icon={<BookOpen size={28} />} title={title}>
      <p>{words}</p>
    </Empty>
  )
}
