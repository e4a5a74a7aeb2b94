import { type Field, UNKNOWN } from './field'
import { type PatternPiece, textOf } from './glob'

/** Puts the pieces of a word together, as the shell does: what is not quoted may become several fields. */
export class FieldBuilder {
  #fields: Field[] = []
  #pieces: PatternPiece[] = []
  #wild = false
  #unknown = false
  #open = false

  literal(text: string): void {
    this.#open = true
    this.#pieces.push({ literal: text })
  }

  wild(kind: '*' | '?' | '[', text: string): void {
    this.#open = true
    this.#wild = true
    this.#pieces.push({ wild: kind, text })
  }

  unknown(): void {
    this.#unknown = true
    this.literal(UNKNOWN)
  }

  /** The value of an unquoted variable: it is split at the characters of IFS. */
  split(text: string, separators = ' \t\n'): void {
    const words = separators === '' ? [text] : text.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, '\\$&')}]+`))
    for (const [index, part] of words.entries()) {
      if (index > 0) this.close()
      if (part !== '') this.#addSplit(part)
    }
  }

  close(): void {
    if (this.#open) {
      const text = this.#pieces.map(textOf).join('')
      this.#fields.push({ text, unknown: this.#unknown, pattern: this.#wild ? this.#pieces : null })
    }
    this.#pieces = []
    this.#wild = this.#unknown = this.#open = false
  }

  done(): Field[] {
    this.close()
    return this.#fields
  }

  #addSplit(text: string): void {
    for (const piece of text.split(/([*?])/)) {
      if (piece === '*' || piece === '?') this.wild(piece, piece)
      else if (piece !== '') this.literal(piece)
    }
  }
}
