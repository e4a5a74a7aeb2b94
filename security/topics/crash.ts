import type { Topic } from './topic'

const restart = 'session/restart'
const database = 'database'

/** Ends that come too early, disks that refuse, clocks that jump. What needs a window is staged in the app itself. */
export const crashTopics: readonly Topic[] = [
  {
    ids: 'CF-005',
    words: /approval|question/,
    tests: [
      [restart, 'a question outlives a crash'],
      [restart, 'an answer counts only for what was shown'],
    ],
  },
  {
    ids: 'CF-006',
    words: /migration|schema upgrade|half-upgraded/,
    tests: [
      [database, 'a transaction is all or nothing'],
      [database, 'a migration that is cut short leaves the old version whole'],
    ],
  },
  {
    ids: 'CF-007',
    words: /atomic file|settings write|during (?:a )?(?:file|settings|config) (?:write|save)|partial file/,
    tests: [
      ['settings/settings', 'keeps a change, for the user alone'],
      ['tools/files/file-tools', 'leaves nothing beside the file, also when it fails'],
    ],
  },
  {
    ids: 'CF-009',
    words: /graceful|sigterm|sigint|logout|quit|power-off|shutdown|suspend|sleep\/wake|lid/,
    tests: [
      [restart, 'a quit in the middle of a turn'],
      ['schedule/schedule', 'runs what was missed during sleep once'],
    ],
  },
  {
    ids: 'CF-011',
    words: /fsync|\beio\b|i\/o error|read-only|erofs|enospc|disk full|no space|quota|permission denied|eacces/,
    tests: [
      [database, 'after a write that the disk refused nothing is pretended'],
      ['tools/files/file-tools', 'puts back what it had written when the disk refuses'],
    ],
  },
  {
    ids: 'CF-013 CF-014',
    words:
      /corruption|bit rot|bit flip|truncated|garbage|damaged|zeroed|not a database|wal (?:deleted|missing|corrupt)|missing wal/,
    tests: [
      ['storage/salvage', 'damaged pages in the middle'],
      ['storage/salvage', 'a file that was cut short'],
      ['storage/salvage', 'a write-ahead log that is empty, garbage or cut short'],
      [database, 'backs up once a day, into a database that opens'],
    ],
  },
  {
    ids: 'CF-016',
    words: /\block\b|locked|second instance|two (?:instances|processes|windows)|busy/,
    tests: [
      [restart, 'another process on the same data'],
      ['schedule/schedule', 'of two processes on one folder only one runs a job'],
    ],
  },
  {
    ids: 'CF-017',
    words: /downgrade|newer db|older app/,
    tests: [[database, 'leaves a database of a newer version alone']],
  },
  {
    ids: 'CF-018',
    words: /nfs|network share|smb|cifs|sshfs|\bwal\b/,
    tests: [
      [database, 'a data folder on a network share gets no write-ahead log'],
      [database, 'knows a share from a disk'],
    ],
  },
  {
    ids: 'CF-019',
    words: /\bconfig\b|settings\.json|invalid json|wrong types/,
    tests: [
      ['settings/settings', 'a file that is no JSON is kept aside'],
      ['settings/settings', 'one bad value costs only itself'],
    ],
  },
  {
    words: /keychain|safestorage|key store|secret store/,
    tests: [
      ['settings/secrets', 'a key that the keychain cannot open any more'],
      ['settings/secrets', 'a broken file is kept aside'],
    ],
  },
  {
    words: /time ?zone|dst|daylight/,
    tests: [
      ['schedule/next-run', 'run a daily job once in the hour that comes twice'],
      ['schedule/next-run', 'run a daily job right after the gap'],
    ],
  },
  {
    ids: 'CF-020',
    words: /clock|1970|2038|time jump|ntp/,
    tests: [
      ['session/store', 'a clock that is set back changes neither the order'],
      ['schedule/schedule', 'looks at least each minute, so that a clock that was set is noticed'],
    ],
  },
  {
    ids: 'CF-023',
    words: /crash loop|crashes in|boot loop/,
    tests: [['start-watch', 'three crashes within a minute make the next start cautious']],
  },
  {
    ids: 'CF-024',
    words: /cron|scheduled|job due/,
    tests: [
      ['schedule/schedule', 'runs what was missed while the app was closed once'],
      ['schedule/schedule', 'a run in the middle counts as failed'],
    ],
  },
  {
    ids: 'CF-027',
    words: /remote orphan|remote node|node (?:dies|killed|lost)|ssh drop/,
    tests: [
      ['node-agent/agent', 'fails what waits, keeps what runs'],
      ['node-agent/agent', 'says what is lost when the node itself is gone'],
    ],
  },
  {
    words: /mcp server/,
    tests: [['mcp/mcp', 'gives up on a server that always ends, and restarts one that ended once']],
  },
  {
    ids: 'CF-022',
    words: /\bmemory\b|\boom\b|pty host|terminal host|helper process|child process|utility process/,
    tests: [['nodes/local', 'takes its processes with it']],
  },
  {
    words: /orphan|left running|children|background process|tool (?:is )?running|running tool/,
    tests: [
      [restart, 'a command that ran during the crash'],
      ['nodes/local', 'takes its processes with it, is replaced, and what outlives it is found'],
    ],
  },
  { words: /log (?:file|rotation|full)/, tests: [['log', 'rotates and keeps three files']] },
  {
    ids: 'CF-001',
    words: /kill -9|power loss|crash|stream|sigkill|power cut/,
    tests: [
      [restart, 'a turn that was cut by a crash'],
      [restart, 'a question outlives a crash'],
      [restart, 'a command that ran during the crash'],
      ['session/kill', 'nothing that was acknowledged is lost'],
    ],
  },
]
