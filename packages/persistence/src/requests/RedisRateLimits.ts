/**
 * Limits counted in Redis: a key for each bucket, which goes when its window ends. While Redis does not
 * answer nothing is granted, since what can't be counted would be without limit.
 */
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { RateLimitStore, type Taken } from "./RateLimitStore.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** How long an answer is waited for: who asks for a token should not wait for what is away. */
const patience = Duration.seconds(1)
/** How long a server that is not there yet is waited for when a program starts. */
const startPatience = Duration.seconds(30)

/** Milliseconds. */
const options = {
  // What can't be sent now is refused now, and not sent later when no request waits for it any more.
  disableOfflineQueue: true,
  pingInterval: 5000,
  socket: {
    connectTimeout: 2000,
    // Pings keep a connection from being silent, so one that is silent leads nowhere.
    socketTimeout: 15_000,
    reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 2000)
  }
}

/** The store in the Redis at `redis://` or `rediss://…`. Without a server the start fails. */
export const layer = (url: Redacted.Redacted) =>
  Layer.effect(RateLimitStore, make).pipe(
    Layer.provide(
      Layer.unwrap(
        Effect.gen(function* () {
          // Built here, so that it ends with the layer and may be waited for no longer than this.
          const client = Layer.build(NodeRedis.layer({ ...options, url: Redacted.value(url) }))
          const context = yield* Effect.timeoutOrElse(client, {
            duration: startPatience,
            orElse: () => Effect.die(new Error("No Redis answers at REDIS_URL."))
          })
          return Layer.succeedContext(context)
        })
      )
    )
  )

const make = Effect.gen(function* () {
  const redis = yield* Redis.Redis
  const { client } = yield* NodeRedis.NodeRedis
  // To close politely waits for every answer that is due, for ever if Redis is silent.
  yield* Effect.addFinalizer(() => Effect.sync(() => client.isOpen && client.destroy()))
  const keyOf = (bucket: string) =>
    Effect.map(CurrentTenant, (tenant) => `quittance:rate-limit:${tenant}:${bucket}`)

  const take = Effect.fn("RedisRateLimits.take")(function* (
    bucket: string,
    { limit, windowSeconds }: RateLimit,
    wanted: number
  ) {
    const key = yield* keyOf(bucket)
    const [granted, remaining, endsIn] = yield* redis.eval(takeScript)(
      key,
      wanted,
      limit,
      windowSeconds * 1000
    )
    const taken: Taken = { granted, remaining, endsIn }
    return taken
  }, answered)

  const giveBack = Effect.fn("RedisRateLimits.giveBack")(function* (bucket: string) {
    yield* redis.eval(giveBackScript)(yield* keyOf(bucket))
  }, answered)

  return RateLimitStore.of({ take, lease: take, giveBack })
})

/** An unavailable or slow Redis is not the caller's fault. */
const answered = <A, R>(
  effect: Effect.Effect<A, Redis.RedisError, R>
): Effect.Effect<A, never, R> =>
  effect.pipe(
    Effect.timeout(patience),
    Effect.catch((cause) =>
      Effect.andThen(
        Effect.logError("Redis does not answer, so nothing is granted", cause),
        Effect.die(new NotReady({}))
      )
    )
  )

/** One step for Redis: no other command runs between reading and writing. */
const takeScript = Redis.script(
  (key: string, wanted: number, limit: number, windowMillis: number) => [
    key,
    wanted,
    limit,
    windowMillis
  ],
  {
    numberOfKeys: 1,
    lua: `
local count = tonumber(redis.call("GET", KEYS[1]) or "0")
local limit = tonumber(ARGV[2])
local granted = math.max(math.min(tonumber(ARGV[1]), limit - count), 0)
local endsIn = redis.call("PTTL", KEYS[1])
if endsIn < 0 then
  endsIn = tonumber(ARGV[3])
  redis.call("SET", KEYS[1], granted, "PX", endsIn)
elseif granted > 0 then
  redis.call("INCRBY", KEYS[1], granted)
end
return { granted, math.max(limit - count - granted, 0), endsIn }
`
  }
).withReturnType<readonly [granted: number, remaining: number, endsIn: number]>()

const giveBackScript = Redis.script((key: string) => [key], {
  numberOfKeys: 1,
  lua: `
if tonumber(redis.call("GET", KEYS[1]) or "0") > 0 then redis.call("DECR", KEYS[1]) end
return 0
`
})
