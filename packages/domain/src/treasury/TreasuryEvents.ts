/** The events of statements and their entries. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { BankEntryId, BankStatementId } from "../values/Ids.ts"

const statement = <const T extends string>(type: T) =>
  recordEventType(type, "bankStatementId", BankStatementId)
const entry = <const T extends string>(type: T) => recordEventType(type, "bankEntryId", BankEntryId)

export const treasuryEvents = {
  "bankStatement.book": statement("bank_statement.booked"),
  "bankStatement.hold": statement("bank_statement.held"),
  "bankStatement.tell": statement("bank_statement.told"),
  "bankStatement.accept": statement("bank_statement.accepted"),
  "bankEntry.match": entry("bank_entry.matched"),
  "bankEntry.allocate": entry("bank_entry.allocated"),
  "bankEntry.unallocate": entry("bank_entry.unallocated"),
  "bankEntry.ignore": entry("bank_entry.ignored")
} satisfies Record<string, EventType>
