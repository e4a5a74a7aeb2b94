/** The value of a column that holds JSON, or `instead` where a damaged disk has made something else of it. */
export function readJson<Value, Instead = Value>(text: string, instead: Instead): Value | Instead {
  try {
    return JSON.parse(text) as Value
  } catch (error) {
    if (error instanceof SyntaxError) return instead
    throw error
  }
}
