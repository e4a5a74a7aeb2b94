import { runNode } from './run-node'

/** Entry for a machine without a desktop: plain Node, no Electron, no database. */
process.exit(await runNode(process.argv.slice(2)))
