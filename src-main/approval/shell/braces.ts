/** What `{a,b}` stands for; `null` for a sequence such as `{1..9}`. */
export function alternatives(text: string): string[] | null {
  const inner = text.slice(1, -1)
  const choices: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= inner.length; index++) {
    const character = inner[index]
    if (character === '\\') index++
    else if (character === '{') depth++
    else if (character === '}') depth--
    else if (index === inner.length || (character === ',' && depth === 0)) {
      choices.push(inner.slice(start, index))
      start = index + 1
    }
  }
  if (choices.length < 2) return null
  return choices.flatMap((choice) => {
    const nested = /\{[^{}]*,[^{}]*\}/.exec(choice)
    if (!nested) return [choice.replace(/\\(.)|['"]/gs, '$1')]
    return (alternatives(nested[0]) ?? []).map((each) => choice.replace(nested[0], each).replace(/\\(.)|['"]/gs, '$1'))
  })
}
