/** What a program is called, whatever folder it stands in: `/bin/LS.exe` is `ls`. */
export function baseName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase()
  return name.replace(/\.(?:exe|com|cmd|bat)$/, '')
}
