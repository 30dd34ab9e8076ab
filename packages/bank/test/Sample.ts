import { readFileSync } from "node:fs"
import { readBankFile } from "../src/BankFiles.ts"
import type { BankEntry, BankFileEvent, PaymentStatusReport } from "../src/BankEntry.ts"

/** The bytes of a sample file; all of them are invented. */
export const sample = (name: string): Buffer =>
  readFileSync(new URL(`samples/${name}.xml`, import.meta.url))

export const eventsOf = (text: string | Uint8Array): ReadonlyArray<BankFileEvent> => [
  ...readBankFile([typeof text === "string" ? Buffer.from(text) : text])
]

export const entriesOf = (events: ReadonlyArray<BankFileEvent>): ReadonlyArray<BankEntry> =>
  events.flatMap((event) => (event.kind === "ENTRY" ? [event.entry] : []))

export const statusesOf = (
  events: ReadonlyArray<BankFileEvent>
): ReadonlyArray<PaymentStatusReport> =>
  events.flatMap((event) => (event.kind === "STATUS" ? [event.status] : []))
