import { isInsideAny } from '../paths/paths'
import { type Doubt, doubt, type ProgramFacts, type Standing } from './facts'

const MANAGED = /\/(?:shims|\.volta|\.mise|\.proto)\//

/** A file of the project that decides which program is started under a name. */
export const namesProgram = (name: string): { name: string; trouble: () => string } => ({
  name,
  trouble: () => `${name} of the project may name another program`,
})

const VERSION_FILES = [
  '.python-version',
  '.ruby-version',
  '.node-version',
  '.nvmrc',
  '.java-version',
  '.tool-versions',
  '.mise.toml',
  'mise.toml',
  '.prototools',
].map(namesProgram)

/** Whether files of the project change what a program does: its own, and those of a version manager that stands in for it. */
export function projectFilesDoubt(name: string, facts: ProgramFacts, { places, cwds }: Standing): Doubt | null {
  const { files, folders } = places
  const managed = MANAGED.test(files.which(name) ?? '')
  const looked = [...(managed ? VERSION_FILES : []), ...(facts.projectFiles ?? [])]
  for (const cwd of cwds) {
    if (cwd === null) return doubt('unclear', 'it is not clear which folder it would run in')
    // Above the workspace the files are the user's own.
    for (
      let folder = cwd;
      looked.length > 0 && isInsideAny(folder, folders);
      folder = folder.slice(0, folder.lastIndexOf('/'))
    ) {
      for (const { name: file, trouble } of looked) {
        if (files.lstat(`${folder}/${file}`) === null) continue
        const found = trouble(files.readText(`${folder}/${file}`, 16_384))
        if (found !== null) return doubt('project', found)
      }
      if (folder === '' || folder === '/') break
    }
  }
  return null
}
