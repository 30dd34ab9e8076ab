/** What the tenant's banks say: files are taken once, and statements that contradict themselves are held. */
import { isOfAccount } from "@quittance/bank/Statements"
import type { BankAccount, BankAccountNotFound } from "@quittance/domain/payments/BankAccount"
import type { InvalidBankFile } from "@quittance/domain/payments/BankFile"
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Turns from "@quittance/domain/requests/Turns"
import {
  type BankFileOutcome,
  type BankStatement,
  type BankStatementNotFound,
  StatementOfOtherAccount
} from "@quittance/domain/treasury/BankStatement"
import type { AcceptStatement, StatementFilter } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankAccountId, BankStatementId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { BankStatementsRepo } from "@quittance/persistence/treasury/BankStatementsRepo"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { Contents } from "../contents/Contents.ts"
import { AccountSeals } from "../payments/AccountSeals.ts"
import { type Actor, requestActor } from "../requests/Actor.ts"
import { Command } from "../requests/Command.ts"
import { scanBankFile, type ScannedFile } from "./BankFileReading.ts"
import { OwnPayments } from "./OwnPayments.ts"
import { StatementBooking } from "./StatementBooking.ts"

/** Files that a program reads at a time; of a tenant one waits for the other. */
const atOnce = { atOnce: 1, each: 1, waiting: 32 }

export type BankFileFailure =
  | BankAccountNotFound
  | Forbidden
  | InvalidBankFile
  | StatementOfOtherAccount

type Asked = CurrentTenant | CurrentCaller

/** A file as it was received. */
interface ReceivedFile {
  readonly file: { readonly bytes: Effect.Effect<Uint8Array> }
}

export class BankStatements extends Context.Service<
  BankStatements,
  {
    /** Takes a file of an account: packed with gzip or plain. The same bytes again do nothing. */
    take<E, R>(
      id: BankAccountId,
      form: Effect.Effect<ReceivedFile, E, R | Scope.Scope>
    ): Effect.Effect<
      BankFileOutcome,
      E | BankFileFailure,
      Asked | CurrentRequest | Exclude<R, Scope.Scope>
    >
    /** The same from beside a request: of a folder, or of the simulated bank. */
    takeFor(
      id: BankAccountId,
      bytes: Uint8Array,
      actor: Actor
    ): Effect.Effect<BankFileOutcome, InvalidBankFile | StatementOfOtherAccount, CurrentTenant>
    /** Books what was held, for a reason that is kept. */
    accept(
      id: BankStatementId,
      input: AcceptStatement
    ): Effect.Effect<
      BankStatement,
      | BankStatementNotFound
      | Forbidden
      | IdempotencyKeyInUse
      | IdempotencyKeyReused
      | InvalidTransition,
      Asked | CurrentRequest
    >
    get(id: BankStatementId): Effect.Effect<BankStatement, BankStatementNotFound | Forbidden, Asked>
    /** The newest first. */
    list(
      filter: StatementFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<BankStatement>, Forbidden, Asked>
  }
>()("@quittance/operations/BankStatements") {
  static readonly layer = Layer.effect(
    BankStatements,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const booking = yield* StatementBooking
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const contents = yield* Contents
      const grants = yield* GrantsRepo
      const own = yield* OwnPayments
      const repo = yield* BankStatementsRepo
      const seals = yield* AccountSeals
      const tenantSql = yield* TenantSql
      const turns = Turns.make("LARGE_REQUESTS", atOnce)

      const opened = Effect.fnUntraced(function* (stored: StoredBankAccount) {
        const { createdAt, id, name, settings } = stored
        const iban = Redacted.value(yield* seals.open(id, stored.sealedIban))
        const account: BankAccount = { id, name, iban, ...settings, createdAt }
        return account
      })

      /** Reads a file to its end, and makes its bytes safe, before anything of it is booked. */
      const read = Effect.fnUntraced(function* (stored: StoredBankAccount, bytes: Uint8Array) {
        const account = yield* opened(stored)
        const scanned = yield* scanBankFile(bytes, account)
        if (scanned.kind !== "pain.002") {
          const foreign = scanned.statements.find(({ head }) => !isOfAccount(head, account))
          if (foreign !== undefined) {
            return yield* new StatementOfOtherAccount({ statementId: foreign.head.id })
          }
        }
        const content = yield* contents.put(bytes)
        return { account, bytes, scanned, content }
      })
      type ReadFile = Effect.Success<ReturnType<typeof read>>

      /** Books a file under the lock of its account. */
      const booked = Effect.fnUntraced(function* (
        { account, bytes, content, scanned }: ReadFile,
        actor: Actor
      ) {
        const { sha256 } = content
        const before = yield* repo.findFile(account.id, sha256)
        if (before !== undefined) {
          return outcomeOf(before.kind, yield* repo.ofFile(account.id, sha256), true)
        }
        const { now } = yield* clock.read
        yield* repo.insertFile({
          bankAccountId: account.id,
          sha256,
          contentAddress: content.address,
          kind: scanned.kind,
          receivedAt: now
        })
        if (scanned.kind === "pain.002") {
          yield* own.report(account.id, scanned.reports)
          return outcomeOf(scanned.kind, [], false)
        }
        const { kind: message, statements } = scanned
        const file = { account, bytes, sha256, message, statements, now, actor }
        return outcomeOf(message, yield* orImpossible(booking.book(file)), false)
      })

      const take: BankStatements["Service"]["take"] = (id, form) =>
        Effect.gen(function* () {
          const stored = yield* accounts.authorizeId("collection.write", id)
          const { file } = yield* form
          const work = Effect.gen(function* () {
            const found = yield* read(stored, yield* file.bytes)
            const actor = yield* requestActor
            return yield* command
              .run({
                authorize: accounts.authorizeId("collection.write", id, { lock: true }),
                decide: () => booked(found, actor)
              })
              .pipe(Effect.catchTags(withoutKey))
          })
          return yield* turns.run(yield* CurrentTenant, work)
        }).pipe(Effect.scoped, Effect.withSpan("BankStatements.take"))

      const takeFor = Effect.fn("BankStatements.takeFor")(function* (
        id: BankAccountId,
        bytes: Uint8Array,
        actor: Actor
      ) {
        const found = yield* read(yield* accounts.find(id), bytes)
        return yield* tenantSql.transaction(Effect.andThen(accounts.lock(id), booked(found, actor)))
      })

      const accept = Effect.fn("BankStatements.accept")(function* (
        id: BankStatementId,
        { reason }: AcceptStatement
      ) {
        const acceptHeld = Effect.fnUntraced(function* (bankAccountId: BankAccountId) {
          yield* accounts.lock(bankAccountId)
          const { position, sha256, ...statement } = yield* repo.authorize("collection.write", id)
          if (statement.status !== "HELD") {
            const { status } = statement
            return yield* new InvalidTransition({ status, command: "accept", allowed: [] })
          }
          const { now } = yield* clock.read
          const { contentAddress } = (yield* repo.findFile(bankAccountId, sha256))!
          // A file that is on record is not destroyed.
          const bytes = (yield* contents.read(contentAddress))!
          const account = yield* opened(yield* accounts.find(bankAccountId))
          const scanned = yield* orImpossible(scanBankFile(bytes, account))
          // A status report has no statements, so none is held.
          const { kind: message, statements } = scanned as Extract<
            ScannedFile,
            { readonly statements: unknown }
          >
          const actor = yield* requestActor
          const accepted = { by: subject(yield* CurrentCaller), at: now, reason }
          const [result] = yield* orImpossible(
            booking.book(
              { account, bytes, sha256, message, statements, now, actor },
              { position, statement: { ...statement, accepted } }
            )
          )
          return result!
        })
        return yield* command.run({
          authorize: repo.authorize("collection.write", id),
          decide: ({ bankAccountId }) => acceptHeld(bankAccountId)
        })
      })

      const get = Effect.fn("BankStatements.get")(function* (id: BankStatementId) {
        const {
          position: _,
          sha256: __,
          ...statement
        } = yield* repo.authorize("collection.read", id)
        return statement
      })

      const list = Effect.fn("BankStatements.list")(function* (
        filter: StatementFilter,
        page: Page.PageRequest
      ) {
        yield* grants.requireOnTenant("collection.read")
        const { rows, total } = yield* repo.list(filter, page)
        return Page.make(rows, total, page)
      })

      return BankStatements.of({ take, takeFor, accept, get, list })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      BankAccountsRepo.layer,
      BankStatementsRepo.layer,
      Command.layer,
      Contents.layer,
      GrantsRepo.layer,
      StatementBooking.layer,
      TenantClockRepo.layer
    ])
  )
}

/** The bytes of a file say which one it is: there is no key. */
const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }

/** A file that was read once can be read again. */
const orImpossible = <A, R>(read: Effect.Effect<A, InvalidBankFile, R>) => Effect.orDie(read)

const outcomeOf = (
  kind: BankFileOutcome["kind"],
  statements: ReadonlyArray<BankStatement>,
  known: boolean
): BankFileOutcome => ({
  kind,
  known,
  statements: statements.map(({ entries, id, newEntries, reasons, status }) => {
    const isNew = known ? 0 : newEntries
    return { id, status, reasons, new: isNew, known: status === "HELD" ? 0 : entries - isNew }
  })
})
