/**
 * What typed keys make of a line, as far as that can be told: a deletion takes away the character before it. Any other
 * control character is a key that may do anything with what stands before it, so what follows is read as a line of its own.
 */
export function typedText(data: string): string {
  let text = ''
  for (const character of data) {
    if (character === '\b' || character === '\x7f') text = text.slice(0, -1)
    else text += isControl(character) ? '\n' : character
  }
  return text
}

/** The texts between the keys that move the cursor or do something unknown, of a line that is not finished by Enter. */
export function typedPieces(data: string): string[] {
  const line = data.replace(/[\r\n]+$/, '')
  if (/[\r\n]/.test(line)) return []
  // An arrow is sent as Escape and some letters.
  return typedText(line.replace(/\x1b(?:[[O][\d;]*[A-Za-z~]|.)/gs, '\x01'))
    .split('\n')
    .filter((piece) => piece !== '')
}

const isControl = (character: string): boolean => character < ' ' && character !== '\t' && character !== '\n'
