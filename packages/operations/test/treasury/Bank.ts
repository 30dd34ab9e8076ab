/** A tenant with an account at a bank, and statements of it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { BankEntry, EntryDetail } from "@quittance/bank/BankEntry"
import { dayBalances, writeStatement } from "@quittance/bank/CamtWriter"
import { signedAmount } from "@quittance/bank/Entries"
import { invoiceReference } from "@quittance/bank/References"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { PutBankAccount } from "@quittance/domain/payments/BankAccountRequests"
import type { StatementMessage } from "@quittance/domain/treasury/BankStatement"
import type { EntryFilter } from "@quittance/domain/treasury/TreasuryRequests"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Effect, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { BankAccounts } from "../../src/payments/BankAccounts.ts"
import { BankEntries } from "../../src/treasury/BankEntries.ts"
import { BankStatements } from "../../src/treasury/BankStatements.ts"
import { EntryAllocations } from "../../src/treasury/EntryAllocations.ts"
import { EntryMatching } from "../../src/treasury/EntryMatching.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

export const layerStatements = Layer.mergeAll(
  BankAccounts.layer,
  BankEntries.layer,
  BankStatements.layer,
  EntryAllocations.layer,
  EntryMatching.layer,
  Treasury.layer,
  TreasuryLedgerRepo.layer
)

export const layer = layerStatements.pipe(
  Layer.provideMerge(Contracts.layer),
  Layer.provide(NodeServices.layer)
)

export const ownIban = "FR7699999000010000000000115"

export const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../../bank/test/samples/${name}.xml`, import.meta.url))

/** The world's account, with an id by which it is told. */
export const opened = Effect.fnUntraced(function* (
  world: World.World,
  more: Partial<PutBankAccount> = {}
) {
  const run = World.as(world, world.manager)
  return yield* run(
    BankAccounts.use((accounts) =>
      accounts.put("collections", {
        holder: { name: "Acme Assurances", address: { town: "Paris", country: "FR" } },
        iban: Redacted.make(ownIban),
        timeZone: TimeZone.make("Europe/Paris"),
        usage: ["COLLECT"],
        products: "ALL",
        ...more
      })
    )
  )
})
export type Account = Effect.Success<ReturnType<typeof opened>>

export const taking = ({ id }: Account, bytes: Uint8Array) =>
  BankStatements.use((statements) =>
    statements.take(id, Effect.succeed({ file: { bytes: Effect.succeed(bytes) } }))
  )

export const take = (world: World.World, account: Account, bytes: Uint8Array) =>
  World.as(world, world.manager)(taking(account, bytes))

export const detail = (more: Partial<EntryDetail> = {}): EntryDetail => ({
  charges: 0,
  debtor: {},
  creditor: {},
  references: [],
  texts: [],
  ...more
})

/** A transfer that came in, or money that left where the amount is below nothing. */
export const entry = (
  amount: number,
  told: Partial<EntryDetail> = {},
  more: Partial<BankEntry> = {}
): BankEntry => ({
  status: "BOOK",
  direction: amount < 0 ? "DEBIT" : "CREDIT",
  isReversal: false,
  moved: { amount: Math.abs(amount), currency: "EUR" },
  bookedOn: LocalDate.make("2026-07-14"),
  family: amount < 0 ? "ICDT" : "RCDT",
  subFamily: "ESCT",
  charges: 0,
  batches: [],
  details: [detail({ moved: { amount: Math.abs(amount), currency: "EUR" }, ...told })],
  ...more
})

let count = 0

/** A statement of a day that adds up. */
export const statement = (
  entries: ReadonlyArray<BankEntry>,
  {
    day = "2026-07-14",
    id = `S-${++count}`,
    message = "camt.053",
    opening = 0,
    sequence
  }: {
    readonly day?: string
    readonly id?: string
    readonly message?: StatementMessage
    readonly opening?: number
    readonly sequence?: number
  } = {}
): Buffer => {
  const moved = entries.filter(({ status }) => status === "BOOK")
  const closing = moved.reduce((sum, one) => sum + (signedAmount(one) ?? 0), opening)
  const text = writeStatement({
    message,
    version: "08",
    id,
    sequence,
    createdAt: `${day}T20:00:00`,
    iban: ownIban,
    currency: "EUR",
    balances:
      message === "camt.054" ? [] : dayBalances(LocalDate.make(day), "EUR", opening, closing),
    entries
  })
  return Buffer.from([...text].join(""))
}

export const referenceOf = ({ number }: Pick<Invoice, "number">): string => invoiceReference(number)

/** Books what rules have found. */
export const matched = ({ tenant }: World.World) =>
  EntryMatching.use(({ ofTenant }) => ofTenant).pipe(Effect.provideService(CurrentTenant, tenant))

export const entries = (world: World.World, filter: EntryFilter = {}) =>
  World.as(
    world,
    world.manager
  )(BankEntries.use((queue) => queue.list(filter, { count: 100, page: 1 }))).pipe(
    Effect.map(({ data }) => data)
  )

/** What each account of the journal sums to, without the account's id. */
export const balances = Effect.fnUntraced(function* (world: World.World, { id }: Account) {
  const ledger = yield* World.as(
    world,
    world.manager
  )(Treasury.use((treasury) => treasury.ledger(id, { count: 1, page: 1 })))
  return Object.fromEntries(
    ledger.balances.map(({ account, amount }) => [account.split(":")[0]!, amount])
  )
})
