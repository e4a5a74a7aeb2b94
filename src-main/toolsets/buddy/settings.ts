import { z } from 'zod'

const flag = (otherwise: boolean) => z.boolean().default(otherwise).catch(otherwise)
const texts = z.array(z.string()).default([]).catch([])

const shape = z.object({
  shell_enabled: flag(true),
  files_enabled: flag(true),
  fetch_enabled: flag(true),
  search_enabled: flag(true),
  time_enabled: flag(true),
  /** The gate asks about risky commands anyway; this makes it ask about all. An invalid value counts as true. */
  shell_confirm: z.boolean().default(false).catch(true),
  shell_denylist: texts,
  fetch_allowed_domains: texts,
  fetch_blocked_domains: texts,
})

/** The section `[tools]` in buddy's documentation. Other keys of the section are not buddy's. */
export type BuddySettings = z.infer<typeof shape>

export function readBuddySettings(section: unknown): BuddySettings {
  const read = shape.safeParse(section ?? {})
  return read.success ? read.data : shape.parse({})
}
