/** Skills: folders with a SKILL.md that a model reads when it needs them. */

/** What a skill asks for. All of it must be there on one same machine, but `config`, which is about the app. */
export interface SkillRequirements {
  hostRoles: string[]
  capabilities: string[]
  anyCapabilities: string[]
  os: string[]
  env: string[]
  bins: string[]
  anyBins: string[]
  config: string[]
}

/** What the user has said about a skill. */
export interface SkillEntry {
  enabled?: boolean
  always?: boolean
  requires?: Partial<SkillRequirements>
}

export interface SkillInfo {
  name: string
  description: string
  /** As a tool reads it: `skills/summarize/SKILL.md`. */
  location: string
  /**
   * An agent's own copy hides the one that all agents share. `user` and `project`: in `.agents/skills` or `.claude/skills` of
   * the home folder or the workspace, where other programs find them too.
   */
  source: 'agent' | 'global' | 'user' | 'project'
  /** Whether a shared skill of the same folder is hidden by this one. */
  hidesGlobal: boolean
  /** Where it lies on the disk. */
  folder: string
  homepage: string | null
  always: boolean
  /** Switched off by the user: in no prompt. */
  enabled: boolean
  /** Whether it is in the prompt now. */
  eligible: boolean
  /** Nodes on which everything that it needs is there; empty when it needs nothing of a machine. */
  eligibleHosts: string[]
  /** Why it is not eligible, in words: `requires bins: gh`. */
  reasons: string[]
  requires: SkillRequirements
}

/** Skills were added, changed or removed: ask again. */
export type SkillsEvent = { type: 'skills' }
