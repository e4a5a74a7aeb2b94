import { hasSshd } from '../src-main/nodes/shell/test-sshd'

/**
 * The lines of the five documents that Deckhand follows, by number only: `S0-Gen-01` to `S0-Gen-08`, and so on. A test names
 * the lines that it decides at the start of its title.
 */
const groups: Record<string, Record<string, number>> = {
  S0: {
    Gen: 8,
    Path: 10,
    Bash: 50,
    Process: 48,
    Read: 27,
    Write: 10,
    Edit: 17,
    Glob: 10,
    Grep: 20,
    Cap: 9,
    Role: 4,
    Runtime: 6,
  },
  S1: {
    Gen: 5,
    Ws: 9,
    ListFiles: 12,
    ReadFile: 15,
    WriteFile: 15,
    EditFile: 19,
    DeleteFile: 6,
    ConfigGet: 9,
    LogsGet: 9,
    Cron: 31,
    CronJob: 7,
    CronSched: 17,
    CronSpec: 16,
    Message: 12,
    SessList: 12,
    SessSend: 12,
    Transfer: 24,
  },
  S2: {
    Tool: 8,
    Registry: 4,
    Builtin: 4,
    Shell: 26,
    ReadFile: 7,
    WriteFile: 7,
    Fetch: 6,
    Search: 9,
    Capture: 32,
    SendKeys: 12,
    Time: 10,
    ShellNode: 25,
    Custom: 3,
    Err: 5,
  },
  S3: {
    Iface: 3,
    Main: 20,
    Sub: 20,
    Group: 7,
    Read: 8,
    Write: 4,
    Edit: 7,
    Patch: 10,
    Grep: 6,
    Glob: 4,
    Ls: 3,
    Exec: 12,
    Process: 8,
    Cron: 8,
    Message: 3,
    Sess: 18,
    MemSearch: 11,
    MemGet: 4,
    Asm: 6,
  },
  S4: {
    Tool: 9,
    Loop: 9,
    ReadFile: 7,
    WriteFile: 9,
    EditFile: 10,
    ListDir: 10,
    Shell: 29,
    MemRead: 11,
    MemWrite: 10,
    WebSearch: 10,
    WebFetch: 13,
    Message: 11,
    Spawn: 16,
    Mcp: 12,
    Reg: 4,
    Sec: 9,
  },
}

export const titles: Record<string, string> = {
  S0: 'GSV, tools of a node',
  S1: 'GSV, tools of the gateway',
  S2: 'buddy',
  S3: 'miclaw',
  S4: 'clawft',
}

export const checklist: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(groups).map(([seed, counts]) => [
    seed,
    Object.entries(counts).flatMap(([group, count]) =>
      Array.from({ length: count }, (_, index) => `${seed}-${group}-${String(index + 1).padStart(2, '0')}`),
    ),
  ]),
)

/** Documents of which every line has to have a test. */
export const complete: readonly string[] = ['S0', 'S1', 'S2', 'S3', 'S4']

const aboutSsh = ['S2-Capture-05', ...['06', '21', '22', '23', '24', '25'].map((number) => `S2-ShellNode-${number}`)]

/** Lines that cannot be decided on every machine, with the reason. A test may still decide them where it can. */
export const undecidable: ReadonlyMap<string, string> = new Map(
  hasSshd ? [] : aboutSsh.map((id) => [id, 'there is no sshd on this machine']),
)

/** The lines that a title begins with. */
export const idsIn = (title: string): string[] =>
  /^(?:S\d-[A-Za-z]+-\d\d\s+)+/.exec(title)?.[0].trim().split(/\s+/) ?? []
