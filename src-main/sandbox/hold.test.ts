import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGroups } from './groups'
import { systemCallFilter } from './system-calls'
import { createGround, type Ground, sandboxHere } from './test-ground'

const { available } = await sandboxHere()
const bounds = { processes: 60, memoryBytes: 200 * 1024 * 1024 }

/** What groups that a process of this user can join here count: processes, memory, or both. */
function countedHere(): string[] {
  const groups = openGroups(bounds)
  const joined = groups.doors.filter((door) => spawnSync('/bin/sh', ['-c', 'echo $$ > "$0"', door]).status === 0)
  const files = joined.flatMap((door) => readdirSync(dirname(door)))
  groups.close()
  return files
}
const counted = countedHere()
const isRoot = process.getuid?.() === 0
const countsProcesses = !isRoot || counted.includes('pids.max')
const countsMemory = counted.some((file) => file === 'memory.max' || file === 'memory.limit_in_bytes')

let ground: Ground
beforeEach(() => {
  ground = createGround({ bounds })
})
afterEach(() => ground.remove())

test('machines whose calls are not known get no filter', () => {
  expect(systemCallFilter('mips')).toBeNull()
})

test('the two kinds of machines that are known have the same calls refused', () => {
  expect(systemCallFilter('x64')?.length).toBe(systemCallFilter('arm64')?.length)
})

describe.skipIf(!available)('inside', () => {
  /** By number, as perl makes them; each is refused whatever is passed. */
  const refused = {
    x64: {
      ptrace: 101,
      process_vm_readv: 310,
      keyctl: 250,
      mount: 165,
      umount2: 166,
      open_tree: 428,
      fsopen: 430,
      move_mount: 429,
      mount_setattr: 442,
      bpf: 321,
      userfaultfd: 323,
      perf_event_open: 298,
      io_uring_setup: 425,
      kexec_load: 246,
    },
  }

  test.runIf(process.arch === 'x64')('calls that only break walls are refused, the others are not', async () => {
    const names = Object.entries(refused.x64)
    // Without the filter most of these would complain of their arguments, or be missing in an older kernel.
    const script = names
      .map(([name, number]) => `syscall(${number}, 0, 0, 0, 0, 0); print "${name} $!{EPERM}\\n";`)
      .join(' ')
    const { output } = await ground.run(`perl -e '${script.replaceAll('$!{EPERM}', '". ($!+0) ."')}'`)
    expect(output.trim().split('\n')).toEqual(names.map(([name]) => `${name} 1`))
    expect((await ground.run(`perl -e 'print syscall(39) > 0 ? "fine" : "refused"'`)).output).toBe('fine')
  })

  test('nothing is typed for the user, and other controls of a terminal work', async () => {
    const ask = (request: string) => `ioctl(STDIN, ${request}, $_ = "x" x 64) or print $!+0, "\\n";`
    // EPERM is 1; that the input here is no terminal is 25.
    const { output } = await ground.run(`perl -e '${ask('0x5412')} ${ask('0x541c')} ${ask('0x5413')}' < /dev/null`)
    expect(output).toBe('1\n1\n25\n')
  })

  test('the way in leaves nothing open', async () => {
    expect((await ground.run('[ -e /proc/self/fd/9 ] && echo open')).output).toBe('')
  })

  test.runIf(countsProcesses)('a program that multiplies itself comes to an end', async () => {
    const { output } = await ground.run(
      `perl -e '$| = 1; for (1..500) { my $p = fork; if (!defined $p) { print "held at $_\\n"; last } if (!$p) { sleep 60; exit } } kill 9, -1'`,
    )
    expect(Number(/held at (\d+)/.exec(output)?.[1])).toBeLessThan(bounds.processes + 1)
  })

  test.runIf(countsMemory)('a program that takes all the memory it can get is ended', async () => {
    const { output } = await ground.run(`perl -e '$a = "a" x 400_000_000; print "HELD"'; echo after`)
    expect(output).not.toContain('HELD')
  })
})
