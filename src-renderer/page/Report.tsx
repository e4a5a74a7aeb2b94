export type ReportState = { tone: 'busy' | 'good' | 'bad'; words: string } | null

/** The result of the last attempt, beside the button that made it. */
export function Report({ report }: { report: ReportState }) {
  return (
    <output className="page-report" data-tone={report?.tone}>
      {report?.words}
    </output>
  )
}
