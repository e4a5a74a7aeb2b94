import { serve } from '../node-agent/run-node'

/** The same node in Electron's Node, where that is the only one at hand. */
export const node = (options: Map<string, string>): Promise<number> => serve(options)
