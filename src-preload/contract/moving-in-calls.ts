import { z } from 'zod'
import { call, none, read } from './call'
import type { ImportFound, ImportReport, ImportTool } from './moving-in'

/** Taking over what other agents have. Nothing is ever written back to them. */
export const movingInCalls = {
  /** Which programs have been used here. */
  'import.state': read<ImportTool[]>()(none),
  'import.preview': read<ImportFound>()(none),
  'import.take': call<ImportReport>()(
    () => z.strictObject({ ids: z.array(z.string().min(1).max(100)).min(1).max(2000) }),
    'Import what is ticked? MCP servers that are imported will be started.',
  ),
} as const
