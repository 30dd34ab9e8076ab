/** Times without dunning on all policies of a tenant, or of some of its products. */
import type { StoredHold } from "@quittance/domain/dunning/DunningRecords"
import { HoldNotFound } from "@quittance/domain/dunning/Dunning"
import type { Instant } from "@quittance/domain/values/Instant"
import { UnknownProduct } from "@quittance/domain/products/Product"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { HoldId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

/** A moratorium: no step of dunning is taken in `[from, to)`. */
export interface Moratorium {
  readonly id: HoldId
  readonly from: Instant
  readonly to: Instant
  readonly reason: string
  /** Absent: of every product. */
  readonly productIds?: ReadonlyArray<string>
}

export class Moratoriums extends Context.Service<
  Moratoriums,
  {
    /** Keeps the steps of dunning away between two instants to come; from now on unless it says else. */
    place(moratorium: {
      readonly from?: Instant | undefined
      readonly to: Instant
      readonly reason: string
      readonly productIds?: ReadonlyArray<string> | undefined
    }): Effect.Effect<Moratorium, InvalidEffectiveDate | UnknownProduct, CurrentTenant>
    /** All of them, the first to begin first. */
    readonly list: Effect.Effect<ReadonlyArray<Moratorium>, never, CurrentTenant>
    /** Ends one now, and lets the worker look at what it kept; one that has not begun is forgotten. */
    lift(id: HoldId): Effect.Effect<void, HoldNotFound, CurrentTenant>
  }
>()("@quittance/operations/Moratoriums") {
  static readonly layer = Layer.effect(
    Moratoriums,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const due = yield* DueRepo
      const dunning = yield* DunningRepo
      const ids = yield* Ids
      const products = yield* ProductsRepo
      const tenantSql = yield* TenantSql

      const record = (action: string, id: HoldId, before: unknown, after: unknown) =>
        audit.recordAll(actorOf(operator, "operator"), [{ action, recordId: id, before, after }])

      const held = Effect.map(dunning.ofPolicies([]), ({ holds }) => holds.flatMap(moratoriumOf))

      const place = Effect.fn("Moratoriums.place")(function* ({
        productIds,
        reason,
        to,
        ...given
      }: Parameters<Moratoriums["Service"]["place"]>[0]) {
        const { now } = yield* clock.read
        const { from = now } = given
        if (from < now) return yield* new InvalidEffectiveDate({ field: "from", earliest: now })
        if (to <= from) return yield* new InvalidEffectiveDate({ field: "to", earliest: from })
        const sold = new Set<string>((yield* products.list).map(({ productId }) => productId))
        const unknown = productIds?.find((productId) => !sold.has(productId))
        if (unknown !== undefined) return yield* new UnknownProduct({ productId: unknown })
        const moratorium: Moratorium = {
          id: ids.next("hold"),
          from,
          to,
          reason,
          ...(productIds === undefined ? {} : { productIds })
        }
        const row = { ...moratorium, policyId: null, productIds: productIds ?? null }
        yield* dunning.insertHold(row, now)
        yield* record("moratorium.place", moratorium.id, undefined, moratorium)
        return moratorium
      }, tenantSql.transaction)

      const lift = Effect.fn("Moratoriums.lift")(function* (id: HoldId) {
        const { now } = yield* clock.read
        const moratorium = (yield* held).find((one) => one.id === id)
        if (moratorium === undefined || moratorium.to <= now) {
          return yield* new HoldNotFound({ holdId: id })
        }
        const hasBegun = moratorium.from < now
        yield* hasBegun ? dunning.endHold(id, now) : dunning.removeHold(id)
        // What is due no longer waits for its end.
        yield* due.wakeUnpaid(moratorium.productIds, now)
        yield* record(
          "moratorium.lift",
          id,
          moratorium,
          hasBegun ? { ...moratorium, to: now } : undefined
        )
      }, tenantSql.transaction)

      return Moratoriums.of({ place, list: held, lift })
    })
  ).pipe(Layer.provide([AuditTrail.layer, DueRepo.layer, DunningRepo.layer, TenantClockRepo.layer]))
}

const moratoriumOf = ({
  policyId,
  productIds,
  to,
  ...hold
}: StoredHold): ReadonlyArray<Moratorium> =>
  policyId !== null || to === null
    ? []
    : [{ ...hold, to, ...(productIds === null ? {} : { productIds }) }]
