import type { Topic } from './topic'

const host = 'pty-host/host'
const table = 'nodes/process-table'
const files = 'tools/files/file-tools'

/** Programs that print too much, too oddly or for too long, and files that are no ordinary text. */
export const outputTopics: readonly Topic[] = [
  {
    ids: 'OU-020',
    words: /encodings?|utf-16|latin-?1|\bbom\b|line ends|crlf file/,
    tests: [
      [files, 'keeps line ends, byte order mark and encoding'],
      [files, 'reads UTF-8 and UTF-16 with a byte order mark'],
    ],
  },
  {
    ids: 'OU-019',
    words: /huge file|read_file of a|sparse|4 gb file|long line in a file|endless (?:file|device)|\/dev\/zero/,
    tests: [
      [files, 'reads a few lines of a huge file'],
      [files, 'does not choke on one endless line'],
    ],
  },
  { ids: 'OU-022', words: /huge write|write_file|atomic/, tests: [[files, 'leaves nothing beside the file']] },
  {
    ids: 'OU-018',
    words: /disk fill|enospc|quota|fallocate|no space/,
    tests: [
      [files, 'puts back what it had written'],
      [files, 'leaves nothing beside the file'],
      ['database', 'after a write that the disk refused nothing is pretended'],
    ],
  },
  {
    ids: 'OU-004',
    words: /utf-?8|multi-?byte|emoji|grapheme|decoder/,
    tests: [
      [host, 'keeps characters whole'],
      ['pty-host/utf8-stream', 'decodes characters that are cut anywhere'],
      [table, 'does not cut characters in two'],
    ],
  },
  {
    words: /binary|\/bin\/ls|invalid bytes|random bytes|urandom|nul bytes|control characters/,
    tests: [
      ['pty-host/utf8-stream', 'shows bytes that are no text as such'],
      ['nodes/plain-text', 'gives the same result however the input is cut'],
      ['tools/output', 'shows characters that hide text, and repairs broken ones'],
    ],
  },
  {
    words: /one (?:long )?line|without (?:a )?newline|single line|no newline/,
    tests: [
      ['tools/output', 'leaves what fits alone and writes nothing'],
      ['tools/output', 'counts what it left out'],
      [table, 'keeps the tail of long output'],
    ],
  },
  {
    ids: 'OU-009 OU-014',
    words: /cr progress|\bansi\b|progress|spinner|colou?r|escape|cursor/,
    tests: [
      ['nodes/plain-text', 'gives the same result however the input is cut'],
      ['nodes/plain-text', 'does not swallow what follows'],
    ],
  },
  {
    words: /full-?screen|alternate screen|\bvim\b|\btop\b|\bless\b|curses|tui/,
    tests: [[host, 'finds a full-screen program as it is']],
  },
  {
    ids: 'OU-011',
    words: /ignores signals|trap|sigterm|hang|sleep \d{3,}|never ends|timeout|uninterruptible/,
    tests: [
      [table, 'kills the whole group of one that does not heed it'],
      [table, 'waits for a while, then says that it still runs'],
    ],
  },
  {
    words: /grandchild|daemon|setsid|nohup|double fork|background|disown|&$|keeps the (?:pty|terminal) open/,
    tests: [
      [table, 'is not held up by a grandchild that keeps the terminal open'],
      [table, 'reaches what a shell with job control moved to other groups'],
    ],
  },
  {
    ids: 'OU-016',
    words: /kills parent|\$ppid|kill -9|segfault|crash/,
    tests: [
      ['nodes/local', 'takes its processes with it'],
      [table, 'reports a death by signal'],
    ],
  },
  {
    ids: 'OU-012',
    words: /closed stdin|\beof\b|reads stdin|waits for input|\bcat\b$/,
    tests: [
      [table, 'is refused by a program that closed its stdin'],
      [table, 'reaches the program, with and without a terminal'],
    ],
  },
  {
    words: /password|echo off|passphrase|getpass/,
    tests: [
      [host, 'is never told while a password is asked for'],
      [table, 'is refused while a program asks for a password'],
    ],
  },
  {
    words: /exit code|signal|status/,
    tests: [
      [table, 'reports a death by signal'],
      [table, 'runs in a terminal and leaves its exit code'],
    ],
  },
  { words: /stdout and stderr|interleav/, tests: [[table, 'keeps stdout and stderr apart without a terminal']] },
  {
    words: /resize|columns|window size|winch/,
    tests: [
      [host, 'resizes the program and tells the other panes'],
      [host, 'resizes the program and tells the other panes'],
    ],
  },
  {
    words: /deleted|missing (?:cwd|folder)|cwd|not found/,
    tests: [[table, 'is refused in a folder that does not exist']],
  },
  {
    ids: 'OU-006',
    words: /\d+k lines|backpressure|order|many lines|seq \d/,
    tests: [
      [host, 'is in the log to the last byte'],
      [host, 'shows every byte of a flood that it keeps up with'],
    ],
  },
  {
    ids: 'OU-001',
    words: /\d ?gb|\d ?mb|\byes\b|flood|endless|huge|memory|truncat|head ?\+ ?tail/,
    tests: [
      [host, 'does not hold the program up'],
      [table, 'keeps the tail of long output'],
      ['tools/output', 'counts what it left out'],
    ],
  },
]
