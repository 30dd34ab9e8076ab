/** Files of banks that can't be read. */
import { Schema } from "effect"

/**
 * `NOT_XML`, `ENCODING`: no well-formed XML in its encoding; `DOCTYPE`: a document type, which no bank sends;
 * `TOO_DEEP`, `TOO_LONG`: elements or texts beyond what a message of ISO 20022 has; `UNKNOWN_MESSAGE`:
 * neither a statement nor a status report.
 */
export const BankFileFault = Schema.Literals([
  "NOT_XML",
  "ENCODING",
  "DOCTYPE",
  "TOO_DEEP",
  "TOO_LONG",
  "UNKNOWN_MESSAGE"
]).annotate({ identifier: "BankFileFault" })
export type BankFileFault = typeof BankFileFault.Type

/** A file that can't be read; nothing of it is kept. The message repeats nothing of the file. */
export class InvalidBankFile extends Schema.TaggedError<InvalidBankFile>()("InvalidBankFile", {
  reason: BankFileFault,
  /** The line at which reading ended, from 1. */
  line: Schema.Int
}) {
  override get message() {
    return `The file can't be read (${this.reason}, line ${this.line}); send a camt.052, .053, .054 or pain.002 as the bank gave it.`
  }
}
