/** The words of a PDF (ISO 32000-1, section 7.2), one after the other. */

/** What a word is: a name such as `/Type`, a keyword such as `endobj` or a number, or the end. */
export type TokenKind = "NAME" | "WORD" | "END"

/** A name or a keyword that is longer is none that anything here looks for. */
const longest = 64

const code = (char: string): number => char.charCodeAt(0)

const isDelimiter = new Uint8Array(256)
for (const char of "()<>[]{}/%") isDelimiter[code(char)] = 1

const isSpace = new Uint8Array(256)
for (const char of "\0\t\n\f\r ") isSpace[code(char)] = 1

const [slash, percent, open, close, backslash, hash] = [..."/%()\\#"].map(code)
const [newline, carriageReturn] = [..."\n\r"].map(code)

/** Reads from a place on. It skips comments, strings and the brackets of arrays and dictionaries. */
export class PdfTokens {
  /** Of the last word that was read. */
  kind: TokenKind = "END"
  /** The name without its slash, or the keyword; empty where it is too long to be of interest. */
  text = ""
  /** Behind the last word. */
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  /** Reads the next word into `kind` and `text`. */
  next(): TokenKind {
    const bytes = this.#bytes
    while (this.at < bytes.length) {
      const char = bytes[this.at]!
      if (char === percent) this.#skipLine()
      else if (char === open) this.#skipString()
      else if (char === slash) {
        this.at++
        return this.#read("NAME")
      } else if (isSpace[char] === 0 && isDelimiter[char] === 0) return this.#read("WORD")
      else this.at++
    }
    this.text = ""
    return (this.kind = "END")
  }

  #read(kind: TokenKind): TokenKind {
    const bytes = this.#bytes
    const start = this.at
    while (this.at < bytes.length && !isSpace[bytes[this.at]!] && !isDelimiter[bytes[this.at]!]) {
      this.at++
    }
    this.text = this.at - start > longest ? "" : textOf(bytes, start, this.at)
    return (this.kind = kind)
  }

  #skipLine(): void {
    const bytes = this.#bytes
    while (
      this.at < bytes.length &&
      bytes[this.at] !== newline &&
      bytes[this.at] !== carriageReturn
    ) {
      this.at++
    }
  }

  #skipString(): void {
    const bytes = this.#bytes
    let depth = 0
    while (this.at < bytes.length) {
      const char = bytes[this.at++]
      if (char === backslash) this.at++
      else if (char === open) depth++
      else if (char === close && --depth === 0) return
    }
  }
}

/** `J#53` is another way to write `JS`. */
const textOf = (bytes: Uint8Array, start: number, end: number): string => {
  let text = ""
  for (let at = start; at < end; at++) {
    const escaped = bytes[at] === hash ? hexOf(bytes, at + 1, end) : undefined
    text += String.fromCharCode(escaped ?? bytes[at]!)
    if (escaped !== undefined) at += 2
  }
  return text
}

const hexOf = (bytes: Uint8Array, at: number, end: number): number | undefined => {
  if (at + 2 > end) return undefined
  const digits = String.fromCharCode(bytes[at]!, bytes[at + 1]!)
  return /^[0-9A-Fa-f]{2}$/u.test(digits) ? Number.parseInt(digits, 16) : undefined
}
