/** Mandates: made, signed, confirmed by banks, moved to other accounts, withdrawn; and what was imported. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CustomerNotFound } from "@quittance/domain/customers/Customer"
import { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import {
  Conflict,
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  type InvalidReference,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { MandateNotUsable } from "@quittance/domain/payments/MandateNotUsable"
import {
  cancelledOn,
  confirmedByBank,
  type DuplicateMandateReference,
  type Mandate,
  type MandateNotFound,
  movedTo,
  shownOn,
  signedBy,
  type StoredMandate,
  unblockedBy
} from "@quittance/domain/payments/MandateRecord"
import type {
  AmendMandate,
  ConfirmMandate,
  CreateMandate,
  ImportMandate,
  SignMandate,
  UnblockMandate
} from "@quittance/domain/payments/MandateRequests"
import type { PaymentMethodNotFound } from "@quittance/domain/payments/PaymentMethod"
import type { CustomerId, MandateId, PaymentMethodId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import * as Page from "@quittance/domain/values/Page"
import { localDate } from "@quittance/domain/values/TimeZone"
import type { Reach } from "@quittance/persistence/payments/CustomerPermissions"
import { type FoundMandate, MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, type Result } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { evidenceAt, NewMandates } from "./NewMandates.ts"
import { MandateEnds } from "./MandateEnds.ts"
import { MandateTexts, type ShownText } from "./MandateTexts.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Repeated = IdempotencyKeyInUse | IdempotencyKeyReused

/** What a command on a mandate may fail with, beside what it says itself. */
type Changed<E = never> = Effect.Effect<
  Mandate,
  E | Forbidden | InvalidTransition | MandateNotFound | Repeated,
  Scoped
>

/** What a new mandate may fail with. */
type Made<E = never> = Effect.Effect<
  Mandate,
  E | Forbidden | InvalidPaymentMethod | InvalidReference | PaymentMethodNotFound | Repeated,
  Scoped
>

/** A mandate that a command changes, and where its action has to be allowed. */
interface ChangedMandate {
  readonly id: MandateId
  readonly reach: Reach
  /** The action; that of payers and their brokers, unless it is said. */
  readonly by?: Action
}

export class Mandates extends Context.Service<
  Mandates,
  {
    /** A mandate on a payment method, to be signed. */
    create(id: PaymentMethodId, input: CreateMandate): Made
    /** A mandate that was signed elsewhere. */
    importSigned(id: PaymentMethodId, input: ImportMandate): Made<DuplicateMandateReference>
    get(id: MandateId): Effect.Effect<Mandate, Forbidden | MandateNotFound, Asked>
    /** The text that its debtor signs, as it is now. */
    text(id: MandateId): Effect.Effect<ShownText, Forbidden | MandateNotFound, Asked>
    /** Those of a customer, the newest first. */
    list(
      customerId: CustomerId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Mandate>, CustomerNotFound | Forbidden, Asked>
    /** The debtor agrees to the text; another text than the one shown now is a conflict. */
    sign(id: MandateId, input: SignMandate): Changed<Conflict | InvalidReference>
    confirmBank(id: MandateId, input: ConfirmMandate): Changed
    /** Collects from another account of the debtor from now on. */
    amend(id: MandateId, input: AmendMandate): Changed<InvalidPaymentMethod>
    /** Lets a mandate that a bank's reason has blocked be used again. */
    unblock(id: MandateId, input: UnblockMandate): Changed<MandateNotUsable>
    /** Collects nothing more: what is planned on it is cancelled at once. */
    cancel(id: MandateId): Changed
  }
>()("@quittance/operations/Mandates") {
  static readonly layer = Layer.effect(
    Mandates,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const ends = yield* MandateEnds
      const made = yield* NewMandates
      const methods = yield* PaymentMethodsRepo
      const repo = yield* MandatesRepo
      const texts = yield* MandateTexts

      const create = Effect.fn("Mandates.create")((id: PaymentMethodId, input: CreateMandate) =>
        command.run({
          authorize: methods.authorize("payment_method.write", id),
          decide: (method) => made.create(method, input)
        })
      )

      const importSigned = Effect.fn("Mandates.importSigned")(
        (id: PaymentMethodId, input: ImportMandate) =>
          command.run({
            authorize: methods.authorize("mandate.import", id, "TENANT"),
            decide: (method) => made.importSigned(method, input)
          })
      )

      const shown = Effect.fnUntraced(function* ({ mandate, timeZone }: FoundMandate) {
        const { now } = yield* clock.read
        return shownOn(mandate, localDate(now, timeZone))
      })

      const get = Effect.fn("Mandates.get")((id: MandateId) =>
        Effect.flatMap(repo.authorize("payment_method.read", id), shown)
      )

      const text = Effect.fn("Mandates.text")(function* (id: MandateId) {
        const { mandate } = yield* repo.authorize("payment_method.read", id)
        return yield* texts.of(mandate)
      })

      const list = Effect.fn("Mandates.list")(function* (
        customerId: CustomerId,
        page: Page.PageRequest
      ) {
        yield* methods.authorizeCustomer("payment_method.read", customerId)
        const { rows, total } = yield* repo.list(customerId, page)
        return Page.make(yield* Effect.forEach(rows, shown), total, page)
      })

      /**
       * A command on a mandate, which is locked while it is decided. What ends or moves collections is felt
       * by every policy of the customer.
       */
      const change = <E, E2, R>(
        { by = "payment_method.write", id, reach }: ChangedMandate,
        action: string,
        decide: (
          mandate: StoredMandate,
          today: LocalDate
        ) => Effect.Effect<Result.Result<StoredMandate, E | InvalidTransition>, E2, R>
      ) =>
        command.run({
          authorize: repo.authorize(by, id, reach),
          decide: Effect.fnUntraced(function* () {
            const { mandate: before, timeZone } = yield* repo.hold(id)
            const { now } = yield* clock.read
            const today = localDate(now, timeZone)
            const after = yield* Effect.fromResult(yield* decide(before, today))
            if (after !== before) {
              yield* repo.update(after)
              yield* audit.record({ action, recordId: id, before, after, businessAt: now })
            }
            return shownOn(after, today)
          })
        })

      const sign = Effect.fn("Mandates.sign")((id: MandateId, input: SignMandate) =>
        change(
          { id, reach: "ANYWHERE" },
          "mandate.sign",
          Effect.fnUntraced(function* (mandate, today) {
            const { consent, place, signedOn = today } = input
            const { now } = yield* clock.read
            const { hash } = yield* texts.of(mandate)
            const evidence = yield* evidenceAt(now, place === undefined ? {} : { place })
            const signed = signedBy(mandate, { signedOn, textHash: hash, evidence }, today)
            // What can't be signed any more says so, whatever text was agreed to.
            if (signed._tag === "Success" && consent.textHash !== hash) {
              return yield* new Conflict({})
            }
            return signed
          })
        )
      )

      const confirmBank = Effect.fn("Mandates.confirmBank")(
        (id: MandateId, { evidence: reference }: ConfirmMandate) =>
          change(
            { id, reach: "ANYWHERE" },
            "mandate.confirmBank",
            Effect.fnUntraced(function* (mandate, today) {
              const { now } = yield* clock.read
              return confirmedByBank(mandate, yield* evidenceAt(now, { reference }), today)
            })
          )
      )

      const amend = Effect.fn("Mandates.amend")(
        (id: MandateId, { paymentMethodId }: AmendMandate) =>
          change(
            { id, reach: "SHARED" },
            "mandate.amend",
            Effect.fnUntraced(function* (mandate, today) {
              const { now } = yield* clock.read
              const moved = movedTo(mandate, { paymentMethodId, at: now }, today)
              const isTheirs = yield* methods.isActiveOf(mandate.customerId, paymentMethodId)
              if (moved._tag === "Success" && !isTheirs) {
                return yield* new InvalidPaymentMethod({ reason: "NOT_THEIRS" })
              }
              return moved
            })
          )
      )

      const unblock = Effect.fn("Mandates.unblock")(
        (id: MandateId, { evidence: reference, reason }: UnblockMandate) =>
          change(
            // Those who collect have seen the evidence; payers do not say it of themselves.
            { id, reach: "SHARED", by: "collection.write" },
            "mandate.unblock",
            Effect.fnUntraced(function* (mandate, today) {
              const { now } = yield* clock.read
              const evidence = yield* evidenceAt(now, { reference })
              return unblockedBy(mandate, { ...evidence, reason }, today)
            })
          )
      )

      const cancel = Effect.fn("Mandates.cancel")((id: MandateId) =>
        change(
          { id, reach: "SHARED" },
          "mandate.cancel",
          Effect.fnUntraced(function* (mandate, today) {
            const cancelled = cancelledOn(mandate, today)
            if (cancelled._tag === "Success") yield* ends.ended(id, yield* requestActor)
            return cancelled
          })
        )
      )

      return Mandates.of({
        create,
        importSigned,
        get,
        text,
        list,
        sign,
        confirmBank,
        amend,
        unblock,
        cancel
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      MandatesRepo.layer,
      MandateTexts.layer,
      NewMandates.layer,
      PaymentMethodsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
