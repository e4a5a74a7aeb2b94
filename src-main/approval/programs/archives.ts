import type { Field } from '../shell/field'
import { type Carried, optionTexts } from './carried'
import type { Family } from './facts'

const tarCommands = (args: readonly Field[]): Carried[] =>
  optionTexts(
    args,
    /^--(?:to-command|checkpoint-action=exec|use-compress-program|rsh-command|info-script|new-volume-script)=(.+)$/s,
  )

/** Packing and unpacking. */
export const ARCHIVES: Family = {
  tar: { versionWords: ['--version'], carries: tarCommands, purpose: 'packs or unpacks files', exactRules: true },
  'gtar bsdtar': { carries: tarCommands },
  zip: { purpose: 'packs files' },
  unzip: { purpose: 'unpacks files' },
  ffmpeg: { versionWords: ['-version'] },
}
