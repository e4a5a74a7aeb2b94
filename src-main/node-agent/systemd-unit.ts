import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isInstalled } from '../own-process'

/** A node as a unit of systemd that runs for one user and starts with the session, or with the machine where lingering is on. */
interface NodeUnit {
  /** The words that start Deckhand. */
  program: readonly string[]
  id: string
  gateway: string
  pin?: string
  token: string
  workspace: string
  role: string
  data: string
}

export function unitText({ program, id, gateway, pin, token, workspace, role, data }: NodeUnit): string {
  const options = { gateway, ...(pin !== undefined && { pin }), id, workspace, role, data }
  const words = [...program, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]), '--quiet']
  return `[Unit]
Description=Deckhand node ${id}
After=network-online.target

[Service]
ExecStart=${words.map(quoted).join(' ')}
Environment=${quoted(`DECKHAND_NODE_TOKEN=${token}`)}
Restart=on-failure
RestartSec=10
# A refused token or a wrong option is not mended by another try.
RestartPreventExitStatus=1 2

[Install]
WantedBy=default.target
`
}

/** Writes the unit for the user alone, since the token is in it. Answers with what to do next. */
export function writeUnit(unit: NodeUnit, configHome: string): string {
  const folder = join(configHome, 'systemd', 'user')
  const name = `deckhand-node-${unit.id}.service`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), unitText(unit), { mode: 0o600 })
  return [
    `Wrote ${join(folder, name)}. To start the node now and at every login:`,
    `  systemctl --user daemon-reload && systemctl --user enable --now ${name}`,
    'To have it run without a login as well: loginctl enable-linger',
    '',
  ].join('\n')
}

/** How this very program is started again. */
export function ownWords(
  execPath = process.execPath,
  script = process.argv[1] ?? '',
  installed = isInstalled(),
): string[] {
  if (installed) return [join(dirname(execPath), 'bin', 'deckhand'), 'node']
  return [execPath, resolve(script), ...(basename(script).startsWith('node-agent') ? [] : ['node'])]
}

/** As systemd reads it: quotes, and nothing that it would replace. */
const quoted = (word: string): string =>
  `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$').replaceAll('\n', ' ')}"`
