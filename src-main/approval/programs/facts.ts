import type { BoundContent } from '../../../src-preload/contract/approval'
import type { Danger } from '../finding'
import type { Places } from '../paths/paths'
import type { Field } from '../shell/field'
import type { Carried } from './carried'
import type { OptionSpec } from './options'

/** Where an invocation stands: every folder that it might run in (`null` for one that cannot be told), and the files. */
export interface Standing {
  cwds: readonly (string | null)[]
  places: Places
}

/** Where a check of a reading stands, and what it has found to be read. */
export interface ReadingContext extends Standing {
  reads: string[]
  /** What it would read outside the workspace, as far as it was looked at. */
  outside: string[]
}

/** Why an invocation may be more than a reading of what the session may read. */
export interface Doubt {
  /**
   * `program`: this program, or what it is told to do, is not known to only read. `carried`: the same of a program that it
   * starts. `script`: the same of the script that it is given. `outside`: it would read elsewhere. `secret`: it would read
   * something that looks secret. `project`: files of the project may change what it does. `lasting`: it would
   * take very long. `unclear`: what it would do cannot be told from its words.
   */
  kind: 'program' | 'carried' | 'script' | 'outside' | 'secret' | 'project' | 'lasting' | 'unclear'
  /** In words that follow "because". */
  reason: string
}

/** Answers `null` for an invocation that only reads. The words are known and its patterns are expanded. */
export type ReadingCheck = (words: readonly string[], context: ReadingContext) => Doubt | null

/**
 * A program that only reads as long as its options are among these. Left out on purpose are options that write (`sort -o`),
 * run something (`rg --pre`), follow links out of the folder (`grep -R`), read lists of further files (`wc --files0-from`)
 * or never end (`tail -f`).
 */
export interface ReadingTable extends OptionSpec {
  operands: 'none' | 'text' | 'path' | 'pattern then path'
  min?: number
  max?: number
  /** Names, sizes and dates, never content: files that look secret may be named. */
  metadata?: boolean
  /** Options whose value is a file that it reads. */
  paths?: readonly string[]
  /** Descends into folders, but not into hidden ones. */
  descends?: boolean
  /** Options that make it descend into folders, hidden ones too. */
  recursive?: readonly string[]
  /** Options after which the first operand is a path, not a pattern. */
  patternOptions?: readonly string[]
  /** A word that begins with `@` names a file with further words. */
  argumentFiles?: boolean
  /** Folders as operands make it open what lies in them, links included. */
  filesOnly?: boolean
}

/** Looks at the arguments of one program, as fields and as plain words, for what never happens without a typed word. */
export type DangerCheck = (args: readonly Field[], words: readonly string[], standing: Standing) => Danger | null

/** A file of the project that may change what a program does; `trouble` says so in words, or `null` for a harmless one. */
export interface ProjectFile {
  name: string
  trouble(text: string | null): string | null
}

/** What a program prints, where that is plain to see from its words. */
interface OutputFacts {
  /** What `$(…)` around it stands for. */
  substituted?(words: readonly string[], standing: Pick<Standing, 'cwds'>): string | null
  /** The text that it puts into a pipe; `block` is the text block that it is given, `null` for none that is known. */
  piped?(words: readonly string[], block: string | null): string | null
  /** The words that xargs would make of it. */
  words?(args: readonly Field[]): Field[]
}

/**
 * All that is known of one program. Every member may be missing: nothing is assumed of a program that it does not say. The
 * checks in `approval/checks` interpret it; a record never speaks of modes, rules or verdicts.
 */
export interface ProgramFacts {
  // Does this only read?

  /** The shell carries it out itself: no file of that name is looked for. */
  builtin?: true
  /** With one of these as its only word, it tells its version and does nothing else. */
  versionWords?: readonly string[]
  reads?: ReadingTable | ReadingCheck
  /** It only shows its words, so that they may hold what is only known when it runs. */
  showsWords?: true
  /** The command that it starts and that decides whether this is a reading; `null` where that is not plain to see. */
  inner?(words: readonly string[]): string[] | null

  // What in the folder can change its meaning?

  projectFiles?: readonly ProjectFile[]
  /** Why the folder makes even a harmless invocation run something else. */
  folder?(standing: Standing): Doubt | null
  /** Files whose content is what it runs: a permission for the command means that content. */
  content?(args: readonly string[], cwd: string, places: Places): BoundContent[]

  // What does it change?

  /** An everyday change of single files: the options that leave it at that, and what becomes of its operands. */
  edits?: { options: OptionSpec; operands: 'write' | 'delete' | 'copy' | 'move' }
  /** Which operands it writes, for the card; `rights`: those after the first get other permissions. */
  writes?: 'operands' | 'last' | 'rights'
  /** Its operands are deleted, for the card. */
  deletes?: true
  /** It writes what comes through a pipe into the files that it names. */
  savesInput?: true

  // What never happens without a typed word?

  /** A danger stands for every use of the program but `--help` and `--version`. */
  danger?: Danger | DangerCheck
  /** Which operands it opens; without it, all of them. `none`: it only names them. */
  opens?: 'none' | 'after pattern' | 'all but last'
  /** It looks up the numbers of processes by name. */
  findsProcesses?: true
  /** It ends the processes whose numbers it is given. */
  endsProcesses?: true

  // What does it run?

  /** Commands, scripts and code on its command line. `piped` are the words that a pipe may deliver. */
  carries?(args: readonly Field[], piped: readonly Field[]): Carried[]
  /** It adds what comes through a pipe to the command that it starts. */
  takesWords?: true
  /**
   * What it makes of a file or of its standard input. `shell`: runs it as commands. `interpreter`: as code of another
   * language. `sourced`: in the shell itself. `expression`: as commands, from the pipe only. `later`: as commands, at a
   * later time.
   */
  runs?: 'shell' | 'interpreter' | 'sourced' | 'expression' | 'later'

  // What does it send, and whom does it talk to?

  /** It uses the network: always, or with one of these verbs. */
  connects?: true | RegExp
  /** It prints or saves what it gets from the network. */
  downloads?: true
  /** It tells of processes, connections or disks of the machine, which are others in a cage. */
  looksAtMachine?: true
  /** It passes on what it is told to a program that runs elsewhere, outside any sandbox. */
  talksOutside?: true
  /** It starts programs that the project has installed, and then needs no network. */
  runsInstalled?: true
  /** It prints what somebody else wrote; a test gets its words, joined, with a space at both ends. */
  foreignText?: 'always' | 'when it connects' | ((line: string) => boolean)

  // What does it print?

  output?: OutputFacts

  // How is it spoken of, and what may a rule say?

  /** `npm`-like managers, programs such as `npx` that fetch and run a package once, and installers. */
  packages?: 'manager' | 'once' | 'installer'
  /** It runs code of the project: builds, tests. */
  runsProject?: true
  /** Verbs that change the repository. */
  repositoryVerbs?: RegExp
  /** It is better known together with its verb: `git fetch`. */
  hasVerbs?: true
  /** What it is for, in words that follow its name. */
  purpose?: string
  /**
   * A longer command line can be something else altogether: no rule speaks of its first words alone. Holds anyway for what
   * `carries`, `runs` or `reads` by a table.
   */
  exactRules?: true
  /** Command lines that a rule may speak of as one, by name. */
  families?: Readonly<Record<string, CommandFamily>>
  /** Variables that keep a reading from starting anything else and hinder nothing but that. */
  protectiveEnvironment?: Readonly<Record<string, string>>
  /** Variables that keep it from starting or reading anything else; set for every command that only reads. */
  quietEnvironment?: Readonly<Record<string, string>>
}

/**
 * Command lines that people mean as one. What is not said here is not part of it: an option that runs a program, opens an
 * editor, reads a file or leaves the folder is another command.
 */
export interface CommandFamily {
  /** In words that follow "Always allow". */
  words: string
  /** The first word after the program. */
  verb: RegExp
  options: OptionSpec
  /** One of these options has to be there. */
  needs?: readonly string[]
  /** `script`: the name of a script of the project, and nothing else. */
  operands: 'files of the workspace' | 'script'
  /** Hooks of the repository that it would run: where there is one, there is no such rule. */
  hooks?: readonly string[]
  /** Files of the project that make it something else: where there is one, there is no such rule. */
  without?: readonly string[]
}

/**
 * Programs that belong together, by their names. A key may hold several names, separated by white space; one that begins with `^`
 * is an expression for names such as `python3.12`.
 */
export type Family = Readonly<Record<string, ProgramFacts>>

export const doubt = (kind: Doubt['kind'], reason: string): Doubt => ({ kind, reason })

/** The first answer that is not `null`. */
export function first<T, A>(items: Iterable<T>, look: (item: T) => A | null): A | null {
  for (const item of items) {
    const found = look(item)
    if (found !== null) return found
  }
  return null
}
