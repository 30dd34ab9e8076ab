/** Books what a file says: statement by statement, its entries in pieces, each once. */
import type { BankEntry } from "@quittance/bank/BankEntry"
import { type ReadRow, type RowFrame, rowsOf } from "@quittance/bank/EntryRows"
import { judge, type ScannedStatement, type Verdict } from "@quittance/bank/StatementVerdicts"
import { decidedRow } from "@quittance/billing/treasury/EntryArrival"
import { isBooked } from "@quittance/bank/Entries"
import {
  forDifference,
  forOpening,
  bank,
  type TreasuryFact
} from "@quittance/billing/treasury/TreasuryPostings"
import type { BankAccount } from "@quittance/domain/payments/BankAccount"
import type { InvalidBankFile } from "@quittance/domain/payments/BankFile"
import type { BankStatement, StatementMessage } from "@quittance/domain/treasury/BankStatement"
import type { BankStatementId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { localDate } from "@quittance/domain/values/TimeZone"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Ids } from "@quittance/persistence/sql/Ids"
import { BankStatementsRepo } from "@quittance/persistence/treasury/BankStatementsRepo"
import { EntryBookingRepo } from "@quittance/persistence/treasury/EntryBookingRepo"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { AccountSeals } from "../payments/AccountSeals.ts"
import { readBankFile } from "./BankFileReading.ts"
import { MatchFactsReader } from "./MatchFacts.ts"

/** A file whose account the transaction holds. */
export interface HeldFile {
  readonly account: BankAccount
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly message: StatementMessage
  readonly statements: ReadonlyArray<ScannedStatement>
  readonly now: Instant
  readonly actor: Actor
}

/** A statement that a person accepts as it is. */
export interface AcceptedStatement {
  readonly position: number
  readonly statement: BankStatement
}

/** Rows that are written at a time. */
const rowsAtOnce = 2000
/** Likenesses that are looked up at a time. */
const likenessesAtOnce = 10_000

/** A statement whose entries are being written. */
interface OpenStatement {
  readonly frame: RowFrame
  readonly scanned: ScannedStatement
  readonly verdict: Verdict
  readonly counts: ReadonlyMap<string, number>
  rows: Array<ReadRow>
  /** Of the next booked entry. */
  index: number
}

export class StatementBooking extends Context.Service<
  StatementBooking,
  {
    /** Books all statements of a file, or one that was accepted; answers them as they stand then. */
    book(
      file: HeldFile,
      accepted?: AcceptedStatement
    ): Effect.Effect<ReadonlyArray<BankStatement>, InvalidBankFile, CurrentTenant>
  }
>()("@quittance/operations/StatementBooking") {
  static readonly layer = Layer.effect(
    StatementBooking,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const facts = yield* MatchFactsReader
      const ids = yield* Ids
      const ledger = yield* TreasuryLedgerRepo
      const repo = yield* EntryBookingRepo
      const seals = yield* AccountSeals
      const statements = yield* BankStatementsRepo

      const countsOf = Effect.fnUntraced(function* (
        { account }: HeldFile,
        likenesses: ReadonlyArray<string>
      ) {
        const counts = new Map<string, number>()
        const distinct = [...new Set(likenesses)]
        for (let at = 0; at < distinct.length; at += likenessesAtOnce) {
          const some = distinct.slice(at, at + likenessesAtOnce)
          for (const [likeness, nth] of yield* repo.countKnown(account.id, some)) {
            counts.set(likeness, nth)
          }
        }
        return counts
      })

      const post = (
        { account, now }: HeldFile,
        bookedOn: BankStatement["closingOn"],
        found: ReadonlyArray<TreasuryFact>
      ) =>
        repo.post(
          found.map((fact) => ({
            id: ids.next("entry"),
            bankAccountId: account.id,
            ...fact,
            bookedOn: bookedOn ?? localDate(now, account.timeZone),
            recordedAt: now,
            currency: account.currency
          }))
        )

      const write = Effect.fnUntraced(function* (
        statement: BankStatement,
        { actor, sha256 }: HeldFile,
        position: number,
        isAccepted: boolean
      ) {
        yield* isAccepted
          ? statements.update(statement)
          : statements.insert(statement, { sha256, position })
        const actions = {
          BOOKED: "bankStatement.book",
          HELD: "bankStatement.hold",
          TOLD: "bankStatement.tell"
        }
        const action = isAccepted ? "bankStatement.accept" : actions[statement.status]
        const { bankAccountId, id, status } = statement
        yield* audit.recordAll(actor, [
          {
            action,
            recordId: id,
            after: statement,
            detail: { bankAccountId, status }
          }
        ])
      })

      /** Judges the next statement; its entries are written where this answers it open. */
      const open = Effect.fnUntraced(function* (
        file: HeldFile,
        position: number,
        printOf: RowFrame["printOf"],
        accepted: BankStatement | undefined
      ) {
        const { account, message, now } = file
        const read = file.statements[position]!
        const movesMoney = account.statement.authority === authorities[message]
        const scanned = movesMoney ? read : { ...read, balances: [], booked: told(read, message) }
        const counts = yield* countsOf(
          file,
          scanned.booked.map(({ likeness }) => likeness)
        )
        const { head } = scanned
        const verdict = judge(scanned, {
          iban: account.iban,
          currency: account.currency,
          openingBalance: account.openingBalance,
          balance: yield* ledger.balance(account.id, bank(account.id)),
          last: yield* statements.last(account.id),
          counts,
          isKnown: yield* statements.isKnown(account.id, head.id, head.sequence)
        })
        const isHeld = movesMoney && accepted === undefined && verdict.reasons.length > 0
        const id: BankStatementId = accepted?.id ?? ids.next("bank_statement")
        const { closing, closingOn, opening } = verdict
        const statement: BankStatement = {
          id,
          bankAccountId: account.id,
          message,
          statementId: head.id,
          ...(head.sequence === undefined ? {} : { sequence: head.sequence }),
          status: isHeld ? "HELD" : movesMoney ? "BOOKED" : "TOLD",
          reasons: movesMoney ? verdict.reasons : [],
          currency: account.currency,
          ...(opening === undefined ? {} : { opening }),
          ...(movesMoney ? { closing } : {}),
          ...(closingOn === undefined ? {} : { closingOn }),
          entries: read.sums.booked,
          sum: read.sums.sum,
          newEntries: isHeld ? 0 : verdict.newEntries,
          receivedAt: now,
          ...(accepted?.accepted === undefined
            ? {}
            : { accepted: accepted.accepted, receivedAt: accepted.receivedAt })
        }
        yield* write(statement, file, position, accepted !== undefined)
        if (isHeld) return { statement, opened: undefined }
        if (movesMoney) {
          const { difference, toOpen } = verdict
          yield* post(file, closingOn, [
            ...(toOpen === 0 ? [] : [forOpening(account.id, toOpen)]),
            ...(difference === 0 ? [] : [forDifference(account.id, difference)])
          ])
        }
        const frame: RowFrame = {
          bankAccountId: account.id,
          statementId: id,
          iban: account.iban,
          currency: account.currency,
          recordedAt: now,
          printOf,
          makeId: ids.next,
          movesMoney
        }
        const opened: OpenStatement = { frame, scanned, verdict, counts, rows: [], index: 0 }
        return { statement, opened }
      })

      const flush = Effect.fnUntraced(function* (opened: OpenStatement) {
        const { frame, rows } = opened
        opened.rows = []
        const known = yield* facts.of(
          rows.map(({ clues, row }) => ({ clues, payerPrint: row.partyPrint }))
        )
        const decided = rows.map((row) => decidedRow(row, known, frame))
        yield* repo.insert(decided.map(({ row }) => row))
        yield* repo.post(decided.flatMap(({ posted }) => posted))
      })

      const book = Effect.fn("StatementBooking.book")(function* (
        file: HeldFile,
        accepted?: AcceptedStatement
      ) {
        const printOf = yield* seals.printer
        const booked: Array<BankStatement> = []
        let position = -1
        let opened: OpenStatement | undefined
        yield* readBankFile(
          file.bytes,
          Effect.fnUntraced(function* (events) {
            for (const event of events) {
              if (event.kind === "STATEMENT") {
                position++
                if (accepted !== undefined && accepted.position !== position) continue
                const begun = yield* open(file, position, printOf, accepted?.statement)
                booked.push(begun.statement)
                opened = begun.opened
              } else if (event.kind === "ENTRY" && opened !== undefined) {
                add(opened, event.entry)
                if (opened.rows.length >= rowsAtOnce) yield* flush(opened)
              } else if (event.kind === "STATEMENT_END" && opened !== undefined) {
                yield* flush(opened)
                opened = undefined
              }
            }
          })
        )
        return booked
      })

      return StatementBooking.of({ book })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      AuditTrail.layer,
      BankStatementsRepo.layer,
      EntryBookingRepo.layer,
      MatchFactsReader.layer,
      TreasuryLedgerRepo.layer
    ])
  )
}

const authorities: Readonly<Record<StatementMessage, BankAccount["statement"]["authority"]>> = {
  "camt.052": "CAMT_052",
  "camt.053": "CAMT_053",
  "camt.054": "CAMT_054"
}

/** What only tells of entries must not be taken for the entries themselves. */
const told = ({ booked }: ScannedStatement, message: StatementMessage) =>
  booked.map((entry) => ({ ...entry, likeness: `${message} ${entry.likeness}` }))

/** Adds what an entry brings that is not known. What only tells is kept where money came back by it. */
const add = (opened: OpenStatement, entry: BankEntry): void => {
  if (!isBooked(entry)) return
  const { counts, frame, scanned, verdict } = opened
  const index = opened.index++
  const { likeness } = scanned.booked[index]!
  const nth = verdict.numbers[index]!
  if (nth <= (counts.get(likeness) ?? 0)) return
  const rows = rowsOf(entry, { likeness, nth }, frame)
  opened.rows.push(...(frame.movesMoney ? rows : rows.filter(({ row }) => row.cameBack)))
}
