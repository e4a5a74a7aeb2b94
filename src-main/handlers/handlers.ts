import type { z } from 'zod'
import type { CallSpec } from '../../src-preload/contract/call'

/** One function for each call of a group; the compiler names the missing ones. */
export type HandlersFor<Group extends Record<string, CallSpec>> = {
  [Name in keyof Group]: (
    input: z.output<Group[Name]['input']>,
  ) => Group[Name]['output'] | Promise<Group[Name]['output']>
}

/** A call that is made for its effect answers with nothing. */
export const nothing = (_: unknown): null => null
