/** What a start found damaged, what it could save, and what a backup has besides. */
export interface Recovery {
  /** Where the damaged file is; `null` where the database was missing or empty. */
  keptAs: string | null
  /** `null` where nothing could be read. */
  salvaged: {
    sessions: number
    messages: number
    /** Sessions of which only the messages are left. */
    namelessSessions: number
    /** Messages that are known to have been there; each is marked in its place. */
    missingMessages: number
    /** Other tables that have lost rows. */
    incomplete: string[]
  } | null
  /** What the last backup would add; `null` where there is none, or nothing to add. */
  backup: { at: number; sessions: number; messages: number } | null
}

/** What happened to the database, a sentence each. */
export function recoveryWords({ keptAs, salvaged, backup }: Recovery): string[] {
  const words =
    keptAs === null
      ? ['The database was missing or empty.']
      : ['The database was damaged.', `The damaged file was kept as ${keptAs}.`]
  if (keptAs !== null && !salvaged) words.push('Nothing in it could be read.')
  if (salvaged) words.push(`Saved: ${count(salvaged.sessions, 'session')} with ${count(salvaged.messages, 'message')}.`)
  if (salvaged) words.push(...missingWords(salvaged))
  if (backup)
    words.push(`The backup of ${new Date(backup.at).toLocaleString()} has ${addsWords(backup)} that are missing here.`)
  return words
}

function missingWords({ missingMessages, namelessSessions, incomplete }: NonNullable<Recovery['salvaged']>): string[] {
  return [
    ...(missingMessages > 0 ? [`Missing: ${count(missingMessages, 'message')}, marked where they were.`] : []),
    ...(namelessSessions > 0 ? [`${count(namelessSessions, 'session')} lost its name and settings.`] : []),
    ...(incomplete.length > 0 ? [`Some of this may be missing, too: ${incomplete.map(plainName).join(', ')}.`] : []),
  ]
}

export const addsWords = ({ sessions, messages }: { sessions: number; messages: number }): string =>
  [sessions > 0 && count(sessions, 'session'), messages > 0 && count(messages, 'message')].filter(Boolean).join(' and ')

const plainNames = new Map([
  ['calls', 'results of tools'],
  ['queue', 'queued messages'],
  ['rules', 'rules'],
  ['processes', 'earlier processes'],
  ['nodes', 'other machines'],
  ['backends', 'places to run commands'],
  ['jobs', 'scheduled jobs'],
  ['job_runs', 'past runs of jobs'],
  ['channels', 'channels'],
  ['receipts', 'records of changes'],
])

const plainName = (table: string): string => plainNames.get(table) ?? table.replaceAll('_', ' ')

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
