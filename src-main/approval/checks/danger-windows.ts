import type { Danger } from '../finding'

/** What looks destructive in a command for PowerShell or cmd. Nothing else of such a command is understood. */
const LOOKS: readonly [RegExp, Danger][] = [
  [
    /\b(?:remove-item|ri|rm|rmdir|rd|del|erase)\b(?=.*(?:\s-r|\s\/s))/,
    { word: 'delete', reason: 'it looks like it deletes whole folders' },
  ],
  [
    /\b(?:format|format-volume|clear-disk|initialize-disk|diskpart|remove-partition)\b|\bcipher(?:\.exe)?\s+\/w/,
    { word: 'disk', reason: 'it seems to erase a disk' },
  ],
  [
    /\b(?:vssadmin|wbadmin)(?:\.exe)?\s+delete\b|\bbcdedit\b/,
    { word: 'delete', reason: 'it seems to delete backups or change how the computer starts' },
  ],
  [
    /\b(?:reg(?:\.exe)?\s+delete|remove-itemproperty)\b/,
    { word: 'delete', reason: 'it seems to delete from the registry' },
  ],
  [/\b(?:stop-computer|restart-computer|shutdown)\b/, { word: 'power', reason: 'it seems to shut down the computer' }],
  [
    /\brunas\b|-verb\s+runas|\bset-executionpolicy\b|\bset-mppreference\b/,
    { word: 'admin', reason: 'it seems to run as administrator or to switch off a protection' },
  ],
  [
    /\b(?:iex|invoke-expression)\b|\b(?:mshta|regsvr32|rundll32|certutil|bitsadmin)\b|-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{20}/,
    { word: 'run', reason: 'it seems to run what it downloads or hides' },
  ],
]

/** Carets and backticks split a word without changing it; quotes do so too. */
export function windowsDanger(text: string): Danger | null {
  const plain = text
    .replace(/[\^`]\r?\n/g, ' ')
    .replace(/["'^`]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
  return LOOKS.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}
