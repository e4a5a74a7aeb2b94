/** What a report of a problem is made of. Everything in it was read before by whoever sends it. */
interface ReportParts {
  at: Date
  version: string
  versions: Readonly<Record<string, string>>
  /** Without secrets. */
  settings: unknown
  logLines: readonly string[]
  /** A picture of the window as PNG; null where none could be taken. */
  screenshot: Buffer | null
  /** Takes out whatever looks like a secret, and the name of the user's home. */
  clean(text: string): string
}

/** One page that needs nothing else and runs nothing, so that it can be read anywhere. */
export function problemReport({ at, version, versions, settings, logLines, screenshot, clean }: ReportParts): string {
  const block = (title: string, text: string) => `<h2>${title}</h2>\n<pre>${escaped(clean(text))}</pre>`
  const facts = [`Deckhand ${version}`, ...Object.entries(versions).map(([name, value]) => `${name} ${value}`)]
  const picture = screenshot
    ? `<h2>Window</h2>\n<img alt="The window of Deckhand" src="data:image/png;base64,${screenshot.toString('base64')}">`
    : ''
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Deckhand problem report</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #14181b; background: #fbfcfc }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.45 monospace; background: #eef2f2; padding: 1rem; border-radius: 6px }
img { max-width: 100%; border: 1px solid #ccd }
</style>
<h1>Deckhand problem report</h1>
<p>Made on ${at.toISOString()}. Nothing was sent anywhere. Check it before you share it.</p>
${block('Versions', facts.join('\n'))}
${block('Settings', JSON.stringify(settings, null, 2))}
${block('Log (last lines)', logLines.join('\n'))}
${picture}
</html>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
