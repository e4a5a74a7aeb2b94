import { createHash } from 'node:crypto'
import type { Replay } from '../../src-preload/contract/replay'

/** What plays a replay in a browser. */
export interface Player {
  script: string
  style: string
}

/**
 * One file with the replay and what plays it. Its policy lets nothing in from anywhere: only the one script, by its hash,
 * and pictures that are in the file itself.
 */
export function htmlOf(replay: Replay, player: Player): string {
  // Neither can end the element that it is in.
  const script = player.script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const data = JSON.stringify(replay).replaceAll('<', '\\u003c')
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escaped(replay.title)} · Deckhand replay</title>
<style>${player.style.replaceAll('</', '<\\/')}</style>
</head>
<body>
<noscript>This replay needs JavaScript. It is in this file; nothing is loaded from the network.</noscript>
<script type="application/json" id="replay">${data}</script>
<script>${script}</script>
</body>
</html>
`
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
