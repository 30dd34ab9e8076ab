/** Account numbers as they are stored: sealed, and found by their prints. */
import { newKey } from "@quittance/auth/SealedContent"
import { seal, unseal } from "@quittance/auth/Sealed"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId, BankTransferId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { AccountKeysRepo } from "@quittance/persistence/payments/AccountKeysRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"

/** A number as its row has it. */
export interface SealedAccount {
  readonly sealedIban: string
  /** 16 bytes; equal for equal numbers of a tenant, and for no other tenant's. */
  readonly ibanPrint: Uint8Array
}

/** The record that a number is sealed for. */
type AccountHolderId = BankAccountId | BankTransferId | PaymentMethodId

export class AccountSeals extends Context.Service<
  AccountSeals,
  {
    /** Seals a number for its record alone: in the row of any other it does not open. */
    seal(
      id: AccountHolderId,
      iban: Redacted.Redacted
    ): Effect.Effect<SealedAccount, never, CurrentTenant>
    open(
      id: AccountHolderId,
      sealedIban: string
    ): Effect.Effect<Redacted.Redacted, never, CurrentTenant>
    /** Makes prints of many numbers without asking for the key again, in hexadecimal. */
    readonly printer: Effect.Effect<(iban: string) => string, never, CurrentTenant>
  }
>()("@quittance/operations/AccountSeals") {
  static readonly layer = Layer.effect(
    AccountSeals,
    Effect.gen(function* () {
      const keys = Redacted.value((yield* KeyEncryption).keys)
      const repo = yield* AccountKeysRepo

      const printKey = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const binding = { tenant, kid: "account/prints" }
        const made = Effect.suspend(() =>
          seal(Buffer.from(newKey()).toString("base64url"), { ...binding, contentType }, keys)
        )
        const sealed = (yield* repo.find) ?? (yield* Effect.flatMap(made, repo.add))
        return Buffer.from(yield* unseal(sealed, binding, keys), "base64url")
      })

      const sealAccount = Effect.fn("AccountSeals.seal")(function* (
        id: AccountHolderId,
        iban: Redacted.Redacted
      ) {
        const text = Redacted.value(iban)
        const tenant = yield* CurrentTenant
        const print = printOf(yield* printKey, text)
        return {
          sealedIban: yield* seal(text, { tenant, kid: kidOf(id), contentType }, keys),
          ibanPrint: new Uint8Array(print)
        }
      })

      const open = Effect.fn("AccountSeals.open")(function* (
        id: AccountHolderId,
        sealedIban: string
      ) {
        const tenant = yield* CurrentTenant
        return Redacted.make(yield* unseal(sealedIban, { tenant, kid: kidOf(id) }, keys))
      })

      const printer = Effect.map(
        printKey,
        (key) => (iban: string) => printOf(key, iban).toString("hex")
      )

      return AccountSeals.of({ seal: sealAccount, open, printer })
    })
  ).pipe(Layer.provide(AccountKeysRepo.layer))
}

const contentType = "text/plain"
const printSize = 16

const printOf = (key: Buffer, iban: string): Buffer =>
  createHmac("sha256", key).update(iban).digest().subarray(0, printSize)

const kidOf = (id: string): string => `account/${id}`
