/** Rate limits of anonymous visitors, for each session and each address: sessions are free to create. */
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { AnonymousSessionId } from "@quittance/domain/requests/Caller"
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import { Config, Context, Duration, Effect, Layer, Schema } from "effect"
import * as TimedCache from "../values/TtlCache.ts"
import { QuotaLeases } from "./QuotaLeases.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Records opened, prices worked out, requests refused, files sent. */
export type VisitorWindow = "OPEN" | "PRICE" | "REFUSED" | "UPLOAD"

export interface Visitor {
  readonly sessionId: AnonymousSessionId
  /** Where the request comes from. */
  readonly address: string
}

/** Sessions behind one address, such as those of an office, that may each use up their own window. */
const sessionsOfAddress = 10

/** Records that were not there, of all visitors; of those that are forgotten early each is counted again. */
const rememberedMisses = 20_000
const missedFor = Duration.hours(1)

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

const window = (name: string, limit: number, windowSeconds: number) =>
  Config.map(Config.withDefault(Config.schema(Limit, name), limit), (limit): RateLimit => ({
    limit,
    windowSeconds
  }))

/**
 * `VISITOR_OPENS`, `VISITOR_REFUSALS` and `VISITOR_UPLOADS` of an hour, `VISITOR_PRICES` of a minute, for
 * each session.
 */
const windows = Config.all({
  OPEN: window("VISITOR_OPENS", 100, 3600),
  PRICE: window("VISITOR_PRICES", 120, 60),
  REFUSED: window("VISITOR_REFUSALS", 200, 3600),
  UPLOAD: window("VISITOR_UPLOADS", 30, 3600)
})

export class VisitorLimits extends Context.Service<
  VisitorLimits,
  {
    /** Counts one for the session and for its address, or fails where either has none left. */
    spend(window: VisitorWindow, visitor: Visitor): Effect.Effect<void, RateLimited, CurrentTenant>
    /**
     * Counts a record that isn't there as a refusal, the first time in an hour that the session asks for
     * it: a page that keeps asking for a deleted record uses up nothing, a caller who tries identifiers does.
     */
    miss(recordId: string, visitor: Visitor): Effect.Effect<void, RateLimited, CurrentTenant>
    /** Fails where a window is known to be used up; counts nothing. */
    check(window: VisitorWindow, visitor: Visitor): Effect.Effect<void, RateLimited, CurrentTenant>
  }
>()("@quittance/operations/VisitorLimits") {
  static readonly layer = Layer.effect(
    VisitorLimits,
    Effect.gen(function* () {
      const leases = yield* QuotaLeases
      const limits = yield* windows

      const both =
        (count: QuotaLeases["Service"]["spend"]) =>
        (window: VisitorWindow, { address, sessionId }: Visitor) => {
          const limit = limits[window]
          const ofAddress = { ...limit, limit: limit.limit * sessionsOfAddress }
          const key = SourceAddress.key(address)
          // The session first: a session that has used up its own quota takes nothing from its neighbours.
          return Effect.andThen(
            count(`visitor:${window}:session:${sessionId}`, limit),
            count(`visitor:${window}:address:${key}`, ofAddress)
          )
        }

      const spend = both(leases.spend)
      const missed = TimedCache.make<true>({
        capacity: rememberedMisses,
        lookup: () => Effect.die(new Error("VisitorLimits: entries are set, never looked up")),
        maxAge: () => missedFor
      })
      const miss = Effect.fnUntraced(function* (recordId: string, visitor: Visitor) {
        const key = `${yield* CurrentTenant} ${visitor.sessionId} ${recordId}`
        if ((yield* missed.peek(key)) === true) return
        yield* missed.set(key, true, missedFor)
        yield* spend("REFUSED", visitor)
      })

      return VisitorLimits.of({ spend, miss, check: both(leases.check) })
    })
  ).pipe(Layer.provide(QuotaLeases.layer))
}
