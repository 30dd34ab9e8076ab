/** Brokerage firms are a tree: a permission on a firm also applies to the firms below it. */
import type { CreateFirm, ListFirms, PatchFirm } from "@quittance/domain/access/FirmRequests"
import type { AuthorityExceeded } from "@quittance/domain/access/Authority"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import {
  type BrokerageFirmNotFound,
  type Firm,
  FirmTreeTooDeep,
  maximumDepth
} from "@quittance/domain/access/Firm"
import type { Grant } from "@quittance/domain/access/Grant"
import * as Page from "@quittance/domain/values/Page"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { type AuthorizedFirm, FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Asked = CurrentTenant | CurrentCaller
type WriteFailure =
  | FirmTreeTooDeep
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidReference

export class Firms extends Context.Service<
  Firms,
  {
    /** Needs `firm.write` on the parent, without one on the whole tenant. */
    create(input: CreateFirm): Effect.Effect<Firm, WriteFailure, Asked | CurrentRequest>
    get(id: BrokerageFirmId): Effect.Effect<Firm, BrokerageFirmNotFound | Forbidden, Asked>
    /** The firms that the caller may see, the oldest first. */
    list(query: ListFirms, page: Page.PageRequest): Effect.Effect<Page.Page<Firm>, Forbidden, Asked>
    /**
     * Changes a firm. Another parent moves it with all that is below it, which needs `firm.write`
     * where it was and where it comes. A move gives and takes permissions: who has a role on a firm
     * above the new place gets it on this one, so the caller needs the right to give those roles here,
     * and to take those that come from above the old place.
     */
    update(
      id: BrokerageFirmId,
      patch: PatchFirm
    ): Effect.Effect<
      Firm,
      AuthorityExceeded | BrokerageFirmNotFound | WriteFailure,
      Asked | CurrentRequest
    >
  }
>()("@quittance/operations/Firms") {
  static readonly layer = Layer.effect(
    Firms,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const repo = yield* FirmsRepo

      /** The path of a firm, or of the root, for a caller who may change firms there. */
      const place = Effect.fnUntraced(function* (parent: BrokerageFirmId | null | undefined) {
        if (parent != null) {
          const { path } = yield* Effect.catchTag(
            repo.authorize("firm.write", parent),
            "BrokerageFirmNotFound",
            () => new InvalidReference({ field: "parentBrokerageFirmId", value: parent })
          )
          return path
        }
        yield* grants.requireOnTenant("firm.write")
        return []
      })

      const create = Effect.fn("Firms.create")(function* (input: CreateFirm) {
        const write = Effect.fnUntraced(function* (path: ReadonlyArray<BrokerageFirmId>) {
          if (path.length >= maximumDepth) return yield* tooDeep
          // The tree is locked, and the parent was there.
          const after = yield* Effect.orDie(
            repo.insert({ id: ids.next("brokerage_firm"), ...input })
          )
          yield* audit.record({ action: "firm.create", recordId: after.id, after })
          return after
        })
        return yield* command.run({
          authorize: Effect.andThen(repo.lockTree, place(input.parentBrokerageFirmId)),
          decide: write
        })
      })

      const get = Effect.fn("Firms.get")(function* (id: BrokerageFirmId) {
        return (yield* repo.authorize("firm.read", id)).firm
      })

      const list = Effect.fn("Firms.list")(function* (
        { queryString, ...only }: ListFirms,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("firm.read")
        const filter = { ...only, words: queryString }
        const { firms, total } = yield* repo.list({ filter, coverage, page })
        return Page.make(firms, total, page)
      })

      /** Whether the caller may give and take what a move gives and takes on the firm. */
      const checkAuthority = Effect.fnUntraced(function* (
        id: BrokerageFirmId,
        above: {
          readonly old: ReadonlyArray<BrokerageFirmId>
          readonly new: ReadonlyArray<BrokerageFirmId>
        }
      ) {
        const onFirm = (roles: ReadonlyArray<Grant["role"]>): ReadonlyArray<Grant> =>
          roles.map((role) => ({ role, on: { kind: "FIRM", brokerageFirmId: id } }))
        const gained = above.new.filter((firm) => !above.old.includes(firm))
        const lost = above.old.filter((firm) => !above.new.includes(firm))
        yield* authority.requireToGive("permission.write", onFirm(yield* repo.rolesOn(gained)))
        yield* authority.requireToTake("permission.write", onFirm(yield* repo.rolesOn(lost)))
      })

      const move = Effect.fnUntraced(function* (
        { firm, path: [, ...above] }: AuthorizedFirm,
        parent: BrokerageFirmId | null
      ) {
        const path = yield* place(parent)
        yield* place(firm.parentBrokerageFirmId)
        if (path.includes(firm.id)) {
          // Below itself: what is named is there, but not as a place for this firm.
          const value = parent ?? ""
          return yield* new InvalidReference({ field: "parentBrokerageFirmId", value })
        }
        yield* checkAuthority(firm.id, { old: above, new: path })
        if (path.length + (yield* repo.height(firm.id)) > maximumDepth) return yield* tooDeep
        yield* repo.move(firm.id, path)
      })

      const update = Effect.fn("Firms.update")(function* (id: BrokerageFirmId, patch: PatchFirm) {
        const { parentBrokerageFirmId: parent } = patch
        const authorized = repo.authorize("firm.write", id, { lock: true })
        const write = Effect.fnUntraced(function* (authorized: AuthorizedFirm) {
          const before = authorized.firm
          if (parent !== undefined && parent !== (before.parentBrokerageFirmId ?? null)) {
            yield* move(authorized, parent)
          }
          const after = patched(before, patch)
          yield* repo.update(after)
          yield* audit.record({ action: "firm.update", recordId: id, before, after })
          return after
        })
        return yield* command.run({
          // The tree before the firm, or two moves wait for each other.
          authorize: parent === undefined ? authorized : Effect.andThen(repo.lockTree, authorized),
          decide: write
        })
      })

      return Firms.of({ create, get, list, update })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      FirmsRepo.layer,
      GrantAuthority.layer,
      GrantsRepo.layer
    ])
  )
}

const tooDeep = Effect.fail(new FirmTreeTooDeep({ maximum: maximumDepth }))

const patched = (
  { customFields = [], parentBrokerageFirmId, ...firm }: Firm,
  { customFields: fields = [], parentBrokerageFirmId: parent, ...patch }: PatchFirm
): Firm => {
  const under = parent === undefined ? parentBrokerageFirmId : parent
  const values = new Map(customFields.map(({ key, value }) => [key, value]))
  for (const { key, value } of fields) {
    if (value === null) values.delete(key)
    else values.set(key, value)
  }
  return {
    ...firm,
    ...patch,
    ...(under == null ? {} : { parentBrokerageFirmId: under }),
    customFields: [...values].map(([key, value]) => ({ key, value }))
  }
}
