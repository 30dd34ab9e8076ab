/** Reads a bank file piece by piece: first what it says as a whole, then entry by entry. */
import { BankFileReader } from "@quittance/bank/BankFiles"
import type { BankFileEvent, PaymentStatusReport } from "@quittance/bank/BankEntry"
import { entryDay, isBooked, likeness, signedAmount } from "@quittance/bank/Entries"
import type { NumberedEntry } from "@quittance/bank/EntryNumbers"
import { addEntry, nothingSummed } from "@quittance/bank/Statements"
import type { ScannedAccount, ScannedStatement } from "@quittance/bank/StatementVerdicts"
import { InvalidBankFile } from "@quittance/domain/payments/BankFile"
import type { BankFileOutcome, StatementMessage } from "@quittance/domain/treasury/BankStatement"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import { Effect, Stream } from "effect"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"

const pieceSize = 65_536
/** What a packed file may have once it is unpacked: of a million entries, with room. */
const mostUnpacked = 2_147_483_648

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize)
}

const notReadable = new InvalidBankFile({ reason: "NOT_XML", line: 1 })

const unpacked = (bytes: Uint8Array): Stream.Stream<Uint8Array, InvalidBankFile> => {
  let size = 0
  return Stream.fromAsyncIterable<Uint8Array, InvalidBankFile>(
    Readable.from(cut(bytes)).pipe(createGunzip()),
    () => notReadable
  ).pipe(
    Stream.tap((piece) => {
      size += piece.length
      return size > mostUnpacked
        ? Effect.fail(new InvalidBankFile({ reason: "TOO_LONG", line: 1 }))
        : Effect.void
    })
  )
}

const orInvalid = <A>(read: () => A): Effect.Effect<A, InvalidBankFile> =>
  Effect.try({
    try: read,
    catch: (error) => {
      if (error instanceof InvalidBankFile) return error
      throw error
    }
  })

/** Hands on what a file, packed or not, tells in its order; other requests run between its pieces. */
export const readBankFile = Effect.fnUntraced(function* <E, R>(
  bytes: Uint8Array,
  take: (events: ReadonlyArray<BankFileEvent>) => Effect.Effect<void, E, R>
) {
  const reader = new BankFileReader()
  const pieces = isPacked(bytes) ? unpacked(bytes) : Stream.fromIterable(cut(bytes))
  yield* Stream.runForEach(pieces, (piece) =>
    orInvalid(() => reader.write(piece)).pipe(
      Effect.flatMap((events) => (events.length === 0 ? Effect.void : take(events))),
      Effect.andThen(LoopTurn.next)
    )
  )
  yield* Effect.flatMap(
    orInvalid(() => reader.end()),
    take
  )
})

export type ScannedFile =
  | {
      readonly kind: StatementMessage
      readonly statements: ReadonlyArray<ScannedStatement>
    }
  | { readonly kind: "pain.002"; readonly reports: ReadonlyArray<PaymentStatusReport> }

/** Reads a file to its end, before anything of it is kept. */
export const scanBankFile = Effect.fn("BankFileReading.scan")(function* (
  bytes: Uint8Array,
  { currency, iban }: ScannedAccount
) {
  let kind: BankFileOutcome["kind"] | undefined
  const statements: Array<ScannedStatement> = []
  const reports: Array<PaymentStatusReport> = []
  let sums = nothingSummed
  let booked: Array<NumberedEntry> = []
  let lastDay: LocalDate | undefined
  const see = (event: BankFileEvent) => {
    switch (event.kind) {
      case "MESSAGE":
        kind ??= event.message
        return
      case "STATEMENT":
        sums = nothingSummed
        booked = []
        lastDay = undefined
        return
      case "ENTRY": {
        const { entry } = event
        if (!isBooked(entry)) return
        sums = addEntry(sums, entry, currency)
        booked.push({ likeness: likeness(iban, entry), amount: signedAmount(entry) ?? 0 })
        const day = entryDay(entry)
        if (day !== undefined && (lastDay === undefined || day > lastDay)) lastDay = day
        return
      }
      case "STATEMENT_END": {
        const { balances, statement } = event
        statements.push({ head: statement, balances, sums, booked, lastDay })
        return
      }
      case "STATUS":
        reports.push(event.status)
    }
  }
  yield* readBankFile(bytes, (events) => Effect.sync(() => events.forEach(see)))
  if (kind === undefined) return yield* notReadable
  const scanned: ScannedFile = kind === "pain.002" ? { kind, reports } : { kind, statements }
  return scanned
})
