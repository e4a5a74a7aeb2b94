import type { Danger } from '../finding'

/** For text that cannot be taken apart: what it looks like once quotes and other disguises are gone. */
const LOOKS: readonly [RegExp, Danger][] = [
  [
    /\brm\s+(?:-\S+\s+)*-\w*[rR]\w*\s+(?:-\S+\s+)*(?:\/|~|\$HOME|\.{1,2}|\*)(?:[\s/*;&|)}]|$)/,
    { word: 'delete', reason: 'it looks like it deletes everything' },
  ],
  [
    /\brm\s+(?:-\S+\s+)*--rec\w*\s+(?:-\S+\s+)*(?:\/|~|\$HOME|\.{1,2}|\*)/,
    { word: 'delete', reason: 'it looks like it deletes everything' },
  ],
  [
    /(?:^|[;&|(\n{`]\s*)(?:\/\S*\/)?(?:sudo|doas|pkexec|su|run0)\s/,
    { word: 'admin', reason: 'it seems to run as administrator (root)' },
  ],
  [
    /(?:^|[;&|(\n{`]\s*)(?:\/\S*\/)?(?:mkfs\S*|wipefs|shutdown|reboot|poweroff|halt)(?:\s|$)/,
    { word: 'power', reason: 'it seems to shut down the computer or erase a disk' },
  ],
  [
    /\bof=\/dev\/(?!null|zero)|>\s*\/dev\/(?:sd|hd|vd|nvme|xvd|mmcblk|disk)/,
    { word: 'disk', reason: 'it seems to write to a disk' },
  ],
  [
    /\b(?:curl|wget)\b[^\n]*\|\s*(?:\S*\/)?(?:ba|z|da|k|fi)?sh\b/,
    { word: 'run', reason: 'it seems to run what it downloads' },
  ],
  [/(\w+|:)\s*\(\)\s*\{[^}]*\1\s*(?:\||&)/, { word: 'run', reason: 'it seems to start endless copies of itself' }],
]

export function textDanger(text: string): Danger | null {
  const plain = text
    .replace(/\$\{?IFS\}?/g, ' ')
    .replace(/\\\n/g, ' ')
    .replace(/["'\\]/g, '')
    .replace(/[ \t]+/g, ' ')
  return LOOKS.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}
