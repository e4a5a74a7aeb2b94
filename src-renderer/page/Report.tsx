export type ReportState = { tone: 'busy' | 'good' | 'bad'; words: string } | null

/** How the last thing that was tried went, beside the button that tried it. */
export function Report({ report }: { report: ReportState }) {
  return (
    <output className="page-report" data-tone={report?.tone}>
      {report?.words}
    </output>
  )
}
