/** Limits counted in Redis (6.2 or newer), one key for each bucket, which goes when its window ends. */
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import type { RateLimit } from "@quittance/domain/RateLimit"
import { NotReady } from "@quittance/domain/RequestErrors"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Duration, Effect, Layer, Redacted, Schema } from "effect"
import { Redis } from "effect/persistence"
import { RateLimitStore, type Taken } from "./RateLimitStore.ts"

/** How long an answer is waited for: who asks for a token should not wait for what is away. */
const patience = Duration.seconds(1)
/** How long a server is waited for when a program starts. */
const startPatience = Duration.seconds(30)

/** Milliseconds. */
const socket = {
  connectTimeout: 2000,
  // A connection that is open and silent is as good as none; pings keep a good one from being silent.
  socketTimeout: 15_000,
  reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 2000)
}
const pingInterval = 5000

const RedisUrl = Schema.String.check(
  Schema.isPattern(/^rediss?:\/\/\S+$/u, {
    message: "REDIS_URL: expected an address such as redis://localhost:6379"
  })
)
