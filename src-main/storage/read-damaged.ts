import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>

/** A database that is read as far as it can be. */
export interface DamagedDatabase {
  /** Its tables, by what is left of its own list of them. */
  tables(): string[]
  version(): number
  /** Every row that can be read, with its row id as `#`. Where pages cannot be read it goes on behind them. */
  rows(table: string): Generator<Row, { holes: number }>
  close(): void
}

const pageBytes = 4096
const headerBytes = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

/**
 * Opens what can still be read of a database, in a copy: the damaged file stays as it is. A header or a first page that is
 * broken is replaced, by those of `healthy` databases with the same tables, as long as one of them leads to rows.
 */
export function openDamaged(path: string, healthy: readonly string[]): DamagedDatabase | null {
  const copy = `${path}.reading`
  for (const [donor, bytes] of [
    [null, 0],
    ...healthy.flatMap((each) => [
      [each, headerBytes],
      [each, pageBytes],
    ]),
  ] as [string | null, number][]) {
    removeCopy(copy)
    try {
      copyFileSync(path, copy)
      if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
      mendHeader(copy, donor, bytes)
    } catch (error) {
      removeCopy(copy)
      throw error
    }
    const opened = tryOpen(copy)
    if (opened) return opened
  }
  removeCopy(copy)
  return null
}

const removeCopy = (copy: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
}

function tryOpen(copy: string): DamagedDatabase | null {
  let sqlite: DatabaseSync
  try {
    sqlite = new DatabaseSync(copy)
  } catch {
    return null
  }
  const tables = (): string[] =>
    sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name))
  const close = (): void => {
    sqlite.close()
    removeCopy(copy)
  }
  try {
    // Tables whose definition is broken are passed over.
    sqlite.exec('PRAGMA writable_schema = ON')
    const known = tables()
    if (!known.some((name) => canRead(sqlite, name))) throw new Error('none of the tables can be read')
  } catch {
    close()
    return null
  }
  return {
    tables,
    version: () => Number(sqlite.prepare('PRAGMA user_version').get()?.user_version ?? 0),
    rows: (table) => readRows(sqlite, table),
    close,
  }
}

const canRead = (sqlite: DatabaseSync, table: string): boolean => {
  try {
    return sqlite.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined
  } catch {
    return false
  }
}

function* readRows(sqlite: DatabaseSync, table: string): Generator<Row, { holes: number }> {
  let after = 0
  let holes = 0
  const from = `FROM "${table}" NOT INDEXED WHERE rowid > ? ORDER BY rowid`
  const all = sqlite.prepare(`SELECT rowid AS "#", * ${from}`)
  const next = sqlite.prepare(`SELECT rowid AS "#", * ${from} LIMIT 1`)
  const isReadable = (behind: number): boolean => {
    try {
      next.get(behind)
      return true
    } catch {
      return false
    }
  }
  for (;;) {
    try {
      for (const row of all.iterate(after) as Iterable<Row>) {
        after = Number(row['#'])
        yield row
      }
      return { holes }
    } catch {
      holes++
      const behind = endOfHole(after, isReadable)
      if (behind === null) return { holes }
      after = behind
    }
  }
}

const lastRowId = 2 ** 52

/** The first row id behind which can be read again: in steps that double, and then back between the last two. */
function endOfHole(start: number, isReadable: (behind: number) => boolean): number | null {
  let bad = start
  let step = 1
  while (!isReadable(start + step)) {
    bad = start + step
    step *= 2
    if (start + step > lastRowId) return null
  }
  let good = start + step
  while (good - bad > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isReadable(middle)) good = middle
    else bad = middle
  }
  return good
}

/** Makes the header fit the file, with `bytes` from the beginning of another database where there is one. */
function mendHeader(path: string, donor: string | null, bytes: number): void {
  const file = openSync(path, 'r+')
  try {
    const page = Buffer.alloc(pageBytes)
    const size = readSync(file, page, 0, pageBytes, 0) < pageBytes ? 0 : fstatSync(file).size
    if (donor !== null) {
      const other = openSync(donor, 'r')
      readSync(other, page, 0, bytes, 0)
      closeSync(other)
      // Without a write-ahead log of its own it is read as it lies there.
      if (!existsSync(`${path}-wal`)) page.fill(1, 18, 20)
    }
    if (!page.subarray(0, magic.length).equals(magic) || size === 0) return
    // A file that was cut short has fewer pages than it says, and is refused as a whole for that.
    const pages = Math.floor(size / pageBytes)
    ftruncateSync(file, pages * pageBytes)
    page.writeUInt32BE(pages, 28)
    page.writeUInt32BE(page.readUInt32BE(24), 92)
    writeSync(file, page, 0, pageBytes, 0)
  } finally {
    closeSync(file)
  }
}
