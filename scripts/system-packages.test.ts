import { expect, test } from 'vitest'
import { chooseNames, notFound } from './system-packages.mjs'

test('reads what the loader could not find', () => {
  const output = [
    '\tlinux-vdso.so.1 (0x00007ffd)',
    '\tlibgtk-3.so.0 => not found',
    '\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)',
    '\tlibnss3.so => not found',
  ].join('\n')
  expect(notFound(output)).toEqual(['libgtk-3.so.0', 'libnss3.so'])
})

test('takes the name that apt can install', () => {
  const entry = (name: string, candidate: string) =>
    `${name}:\n  Installed: (none)\n  Candidate: ${candidate}\n  Version table:\n     1.0 500\n`
  const newer = entry('libasound2', '(none)') + entry('libasound2t64', '1.2.11') + entry('libnss3', '3.98')
  expect(chooseNames(['libasound2', 'libnss3'], newer)).toEqual(['libasound2t64', 'libnss3'])
  const older = entry('libasound2', '1.2.8') + entry('libasound2t64', '(none)') + entry('libnss3', '3.87')
  expect(chooseNames(['libasound2', 'libnss3'], older)).toEqual(['libasound2', 'libnss3'])
})
