/** The text of a document of XML in bytes, by its byte order mark or its declaration. */
import { InvalidBankFile } from "@quittance/domain/payments/BankFile"

/** Decodes a document that comes in pieces of any length. */
export class XmlBytes {
  #decoder: TextDecoder | undefined
  #first: ReadonlyArray<Uint8Array> = []

  /**
   * The text of the next bytes; some may be held back until more have come.
   *
   * @throws InvalidBankFile where the encoding is not known, or the bytes are not of it
   */
  write(bytes: Uint8Array): string {
    if (this.#decoder !== undefined) return this.#decode(this.#decoder, bytes, true)
    const first = Buffer.concat([...this.#first, bytes])
    // A declaration ends with `?>` and is one line; what has none is UTF-8 anyway.
    if (first.length < longestDeclaration && !first.includes("?>")) {
      this.#first = [first]
      return ""
    }
    return this.#begin(first, true)
  }

  /** The text of what was held back. */
  end(): string {
    return this.#decoder === undefined
      ? this.#begin(Buffer.concat(this.#first), false)
      : this.#decode(this.#decoder, new Uint8Array(), false)
  }

  #begin(first: Buffer, stream: boolean): string {
    this.#first = []
    try {
      this.#decoder = new TextDecoder(encodingOf(first), { fatal: true })
    } catch {
      throw unreadable()
    }
    return this.#decode(this.#decoder, first, stream)
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
    try {
      return decoder.decode(bytes, { stream })
    } catch {
      throw unreadable()
    }
  }
}

const longestDeclaration = 256

const unreadable = () => new InvalidBankFile({ reason: "ENCODING", line: 1 })

const encodingOf = (first: Buffer): string => {
  if (first[0] === 0xfe && first[1] === 0xff) return "utf-16be"
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le"
  const head = first.subarray(0, longestDeclaration).toString("latin1")
  return (
    /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/u.exec(head)?.[1] ?? "utf-8"
  )
}
