/** Reads whatever a bank sends: statements, notifications and status reports, by their root element. */
import type { BankFileEvent } from "./BankEntry.ts"
import { readStatements, statementMessage } from "./Camt.ts"
import { isStatusReport, readStatuses } from "./Pain002.ts"
import { XmlBytes } from "./XmlBytes.ts"
import { XmlReader } from "./XmlReader.ts"

/**
 * Reads a file that comes in pieces of any length, and tells what each piece completes. It keeps no more
 * than the entry that it reads. Document types are refused, and entities beyond those of XML itself.
 */
export class BankFileReader {
  readonly #bytes = new XmlBytes()
  readonly #xml = new XmlReader<BankFileEvent>((root, namespace) => {
    const message = statementMessage(root)
    if (message !== undefined) return readStatements(message, namespace)
    return isStatusReport(root) ? readStatuses(namespace) : undefined
  })

  /** @throws InvalidBankFile where the file can't be read */
  write(bytes: Uint8Array): ReadonlyArray<BankFileEvent> {
    return this.#xml.write(this.#bytes.write(bytes))
  }

  /** @throws InvalidBankFile where the file ends too early, or is no message that is known */
  end(): ReadonlyArray<BankFileEvent> {
    return [...this.#xml.write(this.#bytes.end()), ...this.#xml.end()]
  }
}

/**
 * What a file tells, in its order.
 *
 * @throws InvalidBankFile where it can't be read
 */
export function* readBankFile(pieces: Iterable<Uint8Array>): Generator<BankFileEvent> {
  const reader = new BankFileReader()
  for (const piece of pieces) yield* reader.write(piece)
  yield* reader.end()
}
