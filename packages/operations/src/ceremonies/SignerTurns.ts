/** What follows when it is a signer's turn: their letter, and the reminders after it. */
import type { Product } from "@quittance/domain/products/Product"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { reminded, remindersOf } from "@quittance/domain/signatures/Reminders"
import type { RequestedSigner } from "@quittance/domain/signatures/Signer"
import type { Instant } from "@quittance/domain/values/Instant"
import { SignerId } from "@quittance/domain/values/Ids"
import { SignerLinksRepo } from "@quittance/persistence/ceremonies/SignerLinksRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { Context, Effect, Layer } from "effect"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { SignerLinks } from "./SignerLinks.ts"

/** Of which signature, and when it ends. */
export interface Turn {
  readonly product: Product
  readonly expiresAt: Instant
  readonly now: Instant
}

type Told = Pick<RequestedSigner, "delivery" | "id">

export class SignerTurns extends Context.Service<
  SignerTurns,
  {
    /** Tells signers that it is their turn, in the transaction that makes it so. */
    begin(signers: ReadonlyArray<Told>, turn: Turn): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/SignerTurns") {
  static readonly layer = Layer.effect(
    SignerTurns,
    Effect.gen(function* () {
      const due = yield* DueItemsRepo
      const links = yield* SignerLinks
      const repo = yield* SignerLinksRepo

      const beginOne = Effect.fnUntraced(function* (
        { delivery, id }: Told,
        { expiresAt, now, product }: Turn
      ) {
        // A program tells the others.
        if (delivery !== "EMAIL") return
        yield* links.make(id)
        yield* links.send(id, "NOTIFIED")
        const days = product.signature?.remindAfterDays ?? []
        const remindAt = remindersOf({ days, expiresAt }, now, product.timeZone)
        if (remindAt[0] === undefined) return
        yield* repo.setReminders(id, { remindAt, remindedAt: [] })
        yield* due.schedule([{ kind: "remindSigners", recordId: id, dueAt: remindAt[0] }])
      })

      const begin = Effect.fn("SignerTurns.begin")((signers: ReadonlyArray<Told>, turn: Turn) =>
        Effect.forEach(signers, (signer) => beginOne(signer, turn), { discard: true })
      )

      return SignerTurns.of({ begin })
    })
  ).pipe(Layer.provide([DueItemsRepo.layer, SignerLinks.layer, SignerLinksRepo.layer]))
}

/** Asks signers once more who have not signed by the times that the product says. */
export class SignerReminding extends Context.Service<SignerReminding, DueItemHandler>()(
  "@quittance/operations/SignerReminding"
) {
  static readonly layer = Layer.effect(
    SignerReminding,
    Effect.gen(function* () {
      const policies = yield* PoliciesRepo
      const repo = yield* SignerLinksRepo
      const signatures = yield* SignatureRequestsRepo
      const tenantSql = yield* TenantSql

      const remind = Effect.fnUntraced(function* (id: SignerId) {
        // A signer is never deleted.
        const { signatureId } = (yield* repo.find(id))!
        const { policyId } = yield* Effect.orDie(signatures.place(signatureId))
        const { now } = yield* policies.hold(policyId)
        const { expiresAt, signers, status } = yield* signatures.find(signatureId)
        const signer = signers.find((one) => one.id === id)
        const isWaitedFor = signer?.status !== "SIGNED" && signer?.status !== "DECLINED"
        const isOpen = status === "OPEN" && expiresAt !== undefined && now < expiresAt
        if (!isOpen || !isWaitedFor) return "DONE" as const
        const stored = yield* repo.reminders(id)
        const after = reminded(stored, now)
        if (after !== undefined) {
          yield* repo.setReminders(id, after)
          yield* repo.send(id, "REMINDED")
        }
        const [again] = (after ?? stored).remindAt
        return again === undefined ? ("DONE" as const) : { again }
      }, tenantSql.transaction)

      return SignerReminding.of({
        kind: "remindSigners",
        run: (recordId) => remind(SignerId.make(recordId))
      })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, SignatureRequestsRepo.layer, SignerLinksRepo.layer]))
}
