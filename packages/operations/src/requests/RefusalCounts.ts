/**
 * Refusals of a kind, counted together: otherwise a caller who is refused a thousand times would write a
 * thousand rows that can never be removed.
 */
import { Effect, type Scope } from "effect"
import type { Actor } from "./Actor.ts"
import type { RefusedRequest } from "./AuditTrail.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Refusals of a kind in a window that are rows of their own, each with the record that it is about. */
export const ownRows = 10

/** How long refusals of a kind are counted before the row that says how many there were. */
export const windowSeconds = 60

/** Kinds that are counted at a time; the oldest is written when there are more. */
const mostKinds = 10_000

export interface CountedRefusal {
  readonly tenant: TenantId
  readonly actor: Actor
  readonly refusal: RefusedRequest
}

interface Kind extends CountedRefusal {
  /** How many there were, those with a row of their own too. */
  seen: number
}

export interface CountOptions {
  /** Refusals of a kind in a window that are rows of their own. */
  readonly own?: number
  /** Kinds of one tenant that are counted at a time; what is of further ones is counted as one actor's. */
  readonly kindsOfTenant?: number
}

/** Who is named for all further actors of a tenant, where it has too many to name each. */
export const elsewhere = "elsewhere"

/** One and the same actor, action and lack, whatever the record. */
const kindOf = ({ actor, refusal, tenant }: CountedRefusal): string =>
  JSON.stringify([tenant, actor.kind, actor.id, refusal.action, refusal.detail])

/**
 * Answers what to do with each refusal. Rows are written by `write`; those that wait when the scope
 * closes are written then.
 */
export const make = (
  write: (refused: CountedRefusal) => Effect.Effect<void>,
  { kindsOfTenant = Infinity, own = ownRows }: CountOptions = {}
): Effect.Effect<(refused: CountedRefusal) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const kinds = new Map<string, Kind>()
    const ofTenant = new Map<TenantId, number>()

    const count = (tenant: TenantId, change: 1 | -1) => {
      const many = (ofTenant.get(tenant) ?? 0) + change
      if (many === 0) ofTenant.delete(tenant)
      else ofTenant.set(tenant, many)
    }

    /** The refusal as it is counted: as it is, if it is of a kind that is open or that has room. */
    const admitted = (refused: CountedRefusal): CountedRefusal =>
      kinds.has(kindOf(refused)) || (ofTenant.get(refused.tenant) ?? 0) < kindsOfTenant
        ? refused
        : { ...refused, actor: { ...refused.actor, id: elsewhere } }

    /** Ends the window of a kind; a row says how many more there were, if there were any. */
    const close = (key: string, kind: Kind) =>
      Effect.suspend(() => {
        if (kinds.get(key) !== kind) return Effect.void
        kinds.delete(key)
        count(kind.tenant, -1)
        const further = kind.seen - own
        if (further <= 0) return Effect.void
        const { actor, refusal, tenant } = kind
        const detail = { ...refusal.detail, further: `${further}` }
        return write({ tenant, actor, refusal: { ...refusal, recordId: tenant, detail } })
      })

    const open = (key: string, refused: CountedRefusal) =>
      Effect.gen(function* () {
        const [oldest] = kinds
        if (kinds.size >= mostKinds && oldest !== undefined) yield* close(...oldest)
        const kind: Kind = { ...refused, seen: 1 }
        kinds.set(key, kind)
        count(kind.tenant, 1)
        yield* close(key, kind).pipe(Effect.delay(`${windowSeconds} seconds`), Effect.forkIn(scope))
      })

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...kinds], ([key, kind]) => close(key, kind), { discard: true })
    )

    return (asked) =>
      Effect.suspend(() => {
        const refused = admitted(asked)
        const key = kindOf(refused)
        const kind = kinds.get(key)
        if (kind === undefined) return Effect.andThen(open(key, refused), write(refused))
        kind.seen += 1
        return kind.seen <= own ? write(refused) : Effect.void
      })
  })
