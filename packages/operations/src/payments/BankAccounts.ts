/** The tenant's accounts at its banks: defined, changed and read by who looks after them. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type BankAccount,
  type BankAccountNotFound,
  type BankAccountSettings,
  defaultProfile,
  rivalOf
} from "@quittance/domain/payments/BankAccount"
import type { PutBankAccount } from "@quittance/domain/payments/BankAccountRequests"
import { Currency } from "@quittance/domain/values/Amount"
import { lastFourOf } from "@quittance/domain/payments/Iban"
import * as Page from "@quittance/domain/values/Page"
import { bankText, longestName } from "@quittance/bank/Sepa"
import { isValid } from "@quittance/identifiers/Identifier"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Redacted, Struct } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { AccountSeals } from "./AccountSeals.ts"

type Asked = CurrentTenant | CurrentCaller

export class BankAccounts extends Context.Service<
  BankAccounts,
  {
    /** Defines an account, or changes all of it but its number and its currency. */
    put(
      name: string,
      input: PutBankAccount
    ): Effect.Effect<BankAccount, Forbidden | InvalidReference, Asked | CurrentRequest>
    get(name: string): Effect.Effect<BankAccount, BankAccountNotFound | Forbidden, Asked>
    /** All of them, by name. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<BankAccount>, Forbidden, Asked>
  }
>()("@quittance/operations/BankAccounts") {
  static readonly layer = Layer.effect(
    BankAccounts,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const products = yield* ProductsRepo
      const repo = yield* BankAccountsRepo
      const seals = yield* AccountSeals
      const tenants = yield* TenantsRepo

      const view = Effect.fnUntraced(function* (stored: StoredBankAccount) {
        const { createdAt, id, name, settings } = stored
        const iban = Redacted.value(yield* seals.open(id, stored.sealedIban))
        const account: BankAccount = { id, name, iban, ...settings, createdAt }
        return account
      })

      /** What no settings may name. */
      const checked = Effect.fnUntraced(function* ({
        channel,
        products: named,
        statement
      }: BankAccountSettings) {
        if (channel === "SIMULATED") {
          const tenant = yield* tenants.find(yield* CurrentTenant)
          if (tenant?.environment === "production") {
            const expected = "FOLDER or NONE: the simulated bank is for sandboxes"
            return yield* new InvalidReference({ field: "channel", value: channel, expected })
          }
          const { authority } = statement
          if (authority !== "CAMT_053") {
            const field = "statement.authority"
            const expected = "CAMT_053: the simulated bank tells of collections in statements alone"
            return yield* new InvalidReference({ field, value: authority, expected })
          }
        }
        if (named === "ALL") return
        const known = new Set((yield* products.list).map(({ productId }) => productId))
        const value = named.find((one) => !known.has(one))
        if (value !== undefined) return yield* new InvalidReference({ field: "products", value })
      })

      const put = Effect.fn("BankAccounts.put")(function* (name: string, input: PutBankAccount) {
        const write = Effect.gen(function* () {
          const settings = settingsOf(input)
          const iban = Redacted.value(input.iban)
          const refuse = (field: string, value: string, expected: string) =>
            new InvalidReference({ field, value, expected })
          if (!isValid("iban", iban)) {
            return yield* refuse(
              "iban",
              masked(iban),
              "an account with sound national check digits"
            )
          }
          if (bankText(settings.holder.name, longestName, settings.profile.characters) === "") {
            return yield* refuse("holder.name", "", "a holder in letters that the bank takes")
          }
          yield* checked(settings)
          const accounts = yield* repo.hold
          const { now } = yield* clock.read
          const before = accounts.find((account) => account.name === name)
          const id = before?.id ?? ids.next("bank_account")
          const sealed = yield* seals.seal(id, input.iban)
          const isSame = (account: StoredBankAccount) =>
            Buffer.compare(account.ibanPrint, sealed.ibanPrint) === 0
          if (before !== undefined && !isSame(before)) {
            return yield* refuse(
              "iban",
              masked(iban),
              "the number of this account; it never changes"
            )
          }
          if (before !== undefined && before.settings.currency !== settings.currency) {
            return yield* refuse(
              "currency",
              settings.currency,
              "the currency of this account; it never changes"
            )
          }
          if (before === undefined && accounts.some(isSame)) {
            return yield* refuse("iban", masked(iban), "a number that no other account has")
          }
          const others = accounts.map((other) => ({ name: other.name, ...other.settings }))
          const rival = rivalOf({ name, ...settings }, others, now)
          if (rival !== undefined) {
            const expected = "products that no other open account of this use serves"
            return yield* refuse("products", rival.name, expected)
          }
          const kept = before ?? { id, name, ...sealed, createdAt: now }
          const after: StoredBankAccount = { ...kept, settings }
          yield* repo.put(after)
          yield* audit.record({
            action: "bankAccount.put",
            recordId: id,
            ...(before === undefined ? {} : { before: onRecord(before) }),
            after: onRecord(after),
            businessAt: now
          })
          return yield* view(after)
        })
        return yield* command
          .run({ authorize: grants.requireOnTenant("bank.write"), decide: () => write })
          .pipe(Effect.catchTags(withoutKey))
      })

      const get = Effect.fn("BankAccounts.get")(function* (name: string) {
        return yield* view(yield* repo.authorize("bank.read", name))
      })

      const list = Effect.fn("BankAccounts.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("bank.read")
        const all = yield* repo.all
        const first = (page.page - 1) * page.count
        const shown = yield* Effect.forEach(all.slice(first, first + page.count), view)
        return Page.make(shown, all.length, page)
      })

      return BankAccounts.of({ put, get, list })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      AuditTrail.layer,
      BankAccountsRepo.layer,
      Command.layer,
      GrantsRepo.layer,
      TenantClockRepo.layer,
      TenantsRepo.layer
    ])
  )
}

/** The number is in no stored answer, so there is no key. */
const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }

const settingsOf = ({ iban: _, profile, ...input }: PutBankAccount): BankAccountSettings => ({
  currency: Currency.make("EUR"),
  channel: "NONE",
  statement: { authority: "CAMT_053" },
  ...input,
  profile: {
    ...defaultProfile,
    ...profile,
    messages: { ...defaultProfile.messages, ...profile?.messages }
  }
})

/** What an error may repeat of a number. */
const masked = (iban: string): string => `…${lastFourOf(iban)}`

/** A state without the number: a digest of so few digits would tell which they are. */
const onRecord = (account: StoredBankAccount) => Struct.omit(account, ["ibanPrint", "sealedIban"])
