/**
 * A seccomp filter for calls that no sandboxed program needs: typing into the user's terminal, inspecting other
 * processes, mounting, keyrings, and the parts of the kernel that sandbox escapes have used most often. Everything else
 * is allowed. Filtered calls fail with EPERM.
 */

interface Machine {
  /** The kernel's audit constant for this architecture. */
  audit: number
  ioctl: number
  prlimit: number
  denied: readonly number[]
}

/** Numbers that all architectures share, since these calls were added after the numbering was unified. */
const everywhere = [
  ...[425, 426, 427], // io_uring_setup, _enter, _register
  ...[428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  438, // pidfd_getfd
]

const machines = new Map<string, Machine>([
  [
    'x64',
    {
      audit: 0xc000003e,
      ioctl: 16,
      prlimit: 302,
      denied: [
        ...[101, 310, 311], // ptrace, process_vm_readv, process_vm_writev
        ...[248, 249, 250], // add_key, request_key, keyctl
        ...[155, 161, 165, 166, 304, 308], // pivot_root, chroot, mount, umount2, open_by_handle_at, setns
        ...[298, 321, 323], // perf_event_open, bpf, userfaultfd
        ...[175, 176, 313, 246, 320], // init_module, delete_module, finit_module, kexec_load, kexec_file_load
        ...[103, 163, 167, 168, 169, 179], // syslog, acct, swapon, swapoff, reboot, quotactl
        ...everywhere,
      ],
    },
  ],
  [
    'arm64',
    {
      audit: 0xc00000b7,
      ioctl: 29,
      prlimit: 261,
      denied: [
        ...[117, 270, 271],
        ...[217, 218, 219],
        ...[41, 51, 40, 39, 265, 268],
        ...[241, 280, 282],
        ...[105, 106, 273, 104, 294],
        ...[116, 89, 224, 225, 142, 60],
        ...everywhere,
      ],
    },
  ],
])

/** TIOCSTI injects characters into a terminal's input; TIOCLINUX does so on a console. */
const deniedControls = [0x5412, 0x541c]

const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const give = 0x06
const allow = 0x7fff0000
const refuse = 0x00050001 // with EPERM
/** Offsets of what the filter reads in the kernel's seccomp data. */
const at = { number: 0, machine: 4, firstArgument: 16, secondArgument: 24 } as const
/** From this number on, x64 has the same calls again under a second ABI (x32). */
const secondKind = 0x40000000

/** The filter program for this architecture; `null` if its call numbers are not known. */
export function systemCallFilter(arch: string): Buffer | null {
  const machine = machines.get(arch)
  if (!machine) return null
  type Goal = 'refuse' | 'allow'
  /** A number skips so many steps. */
  type Step = { code: number; value: number; isSo?: Goal; isNot?: Goal | number }
  const refuseOn = (value: number): Step => ({ code: jumpIfEqual, value, isSo: 'refuse' })
  const steps: Step[] = [
    { code: load, value: at.machine },
    // Another architecture has other numbers, so its calls cannot be told apart.
    { code: jumpIfEqual, value: machine.audit, isNot: 'refuse' },
    { code: load, value: at.number },
    { code: jumpIfAtLeast, value: secondKind, isSo: 'refuse' },
    ...machine.denied.map(refuseOn),
    // Its own limits only: a program must not change those of the process that the next command is made of.
    { code: jumpIfEqual, value: machine.prlimit, isNot: 2 },
    { code: load, value: at.firstArgument },
    { code: jumpIfEqual, value: 0, isSo: 'allow', isNot: 'refuse' },
    { code: jumpIfEqual, value: machine.ioctl, isNot: 'allow' },
    { code: load, value: at.secondArgument },
    ...deniedControls.map(refuseOn),
  ]
  const ends = { allow: steps.length, refuse: steps.length + 1 }
  /** Continues with the next step if no target is given. */
  const distance = (from: number, to: Goal | number | undefined): number =>
    typeof to === 'string' ? ends[to] - from - 1 : (to ?? 0)
  return Buffer.concat([
    ...steps.map(({ code, value, isSo, isNot }, index) =>
      instruction(code, distance(index, isSo), distance(index, isNot), value),
    ),
    instruction(give, 0, 0, allow),
    instruction(give, 0, 0, refuse),
  ])
}

function instruction(code: number, isSo: number, isNot: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(isSo, 2)
  bytes.writeUInt8(isNot, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
