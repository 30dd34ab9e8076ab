/** Webhooks of the tenants, their receivers, and people who change them while events are sent. */
import type { WebhookId } from "@quittance/domain/values/Ids"
import { Webhooks } from "@quittance/operations/webhooks/Webhooks"
import { Effect, Exit, Redacted } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import type { Draw } from "../Draw.ts"
import * as World from "../World.ts"
import * as Receivers from "./Receivers.ts"

export interface Endpoint {
  readonly world: World.World
  readonly id: WebhookId
  readonly receiver: Receivers.Receiver
  /** The secret that the newest of the receiver's is, by its identifier. */
  newest: string | undefined
  /** When a secret was last added, in milliseconds since 1970. */
  rotatedAt: number
}

/** What was done to endpoints meanwhile. */
export interface Changes {
  filters: number
  secrets: number
  pauses: number
  limits: number
}

export const none = (): Changes => ({ filters: 0, secrets: 0, pauses: 0, limits: 0 })

/** A filter: everything, all of a record, or single types. */
const filters = [
  ["*"],
  ["user.*"],
  ["policy.*"],
  ["user.updated", "policy.updated"],
  ["policy.*", "user.*", "webhook.*"],
  ["invoice.*", "branch.*", "user.updated"]
] as const

/** How the endpoints of a tenant send: one of them at times side by side. */
const orderings = [["PER_SUBJECT"], ["PER_SUBJECT", "NONE"]] as const

/** How many changes of a filter an endpoint remembers at least, and how many one is given here. */
const filterChanges = 40
/** Until an old secret is taken away, what was signed before the new one has long arrived. */
const rotationPause = 60_000

/** Endpoints of a tenant, told all from the first event on. */
export const make = Effect.fnUntraced(function* (world: World.World, draw: Draw) {
  return yield* Effect.forEach(orderings, (possible) =>
    Effect.gen(function* () {
      const ordering = draw.one(possible)
      const receiver = yield* Receivers.start(ordering === "PER_SUBJECT", draw)
      const { id, secret, secrets } = yield* World.as(world)(
        Webhooks.use((webhooks) =>
          webhooks.create({
            url: receiver.url,
            types: draw.one(filters),
            ordering,
            concurrency: draw.one([4, 8, 16]),
            perSecond: draw.one([50, 100]),
            from: "BEGINNING"
          })
        )
      )
      receiver.secrets = [Redacted.value(secret!)]
      const endpoint: Endpoint = { world, id, receiver, newest: secrets[0]?.id, rotatedAt: 0 }
      return endpoint
    })
  )
})

/** Another secret; the receiver knows the one before it until the next comes. */
const rotate = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const { id, receiver, world } = endpoint
  const webhooks = yield* Webhooks
  const { secrets } = yield* World.as(world)(webhooks.get(id))
  // An answer that was lost may have left one that no receiver knows.
  const others = secrets.filter((secret) => secret.id !== endpoint.newest)
  for (const other of others) yield* World.as(world)(webhooks.removeSecret(id, other.id))
  const added = yield* World.as(world)(webhooks.addSecret(id, { overlap: 3600 }))
  const known = receiver.secrets[0]!
  receiver.secrets = [Redacted.value(added.secret!), known]
  endpoint.newest = added.id
})

/** Changes endpoints until it is over, and has those sent to again that were disabled. */
export const change = Effect.fn("Endpoints.change")(function* (
  endpoints: ReadonlyArray<Endpoint>,
  draw: Draw,
  isOver: () => boolean
) {
  const changes = none()
  const webhooks = yield* Webhooks
  while (!isOver()) {
    yield* Effect.promise(() => sleep(draw.below(600)))
    const endpoint = draw.one(endpoints)
    const { id, world } = endpoint
    const as = World.as(world)
    const chance = draw.below(100)
    const isRotated = Date.now() - endpoint.rotatedAt < rotationPause
    if (chance < 20 && changes.filters < filterChanges) {
      const done = yield* Effect.exit(as(webhooks.update(id, { types: draw.one(filters) })))
      if (Exit.isSuccess(done)) changes.filters++
    } else if (chance < 40 && !isRotated) {
      endpoint.rotatedAt = Date.now()
      if (Exit.isSuccess(yield* Effect.exit(rotate(endpoint)))) changes.secrets++
    } else if (chance < 60) {
      if (Exit.isSuccess(yield* Effect.exit(as(webhooks.disable(id))))) changes.pauses++
    } else if (chance < 70) {
      const limits = { concurrency: draw.one([1, 8, 32]), perSecond: draw.one([20, 100]) }
      if (Exit.isSuccess(yield* Effect.exit(as(webhooks.update(id, limits))))) changes.limits++
    }
    yield* Effect.exit(enableAll(endpoints))
  }
  return changes
})

/** Has all of them sent what waits, as fast as may be, by receivers that answer well. */
export const calm = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  for (const { id, receiver, world } of endpoints) {
    receiver.isCalm = true
    const limits = { concurrency: 32, perSecond: 1000 }
    yield* World.as(world)(Webhooks.use((webhooks) => webhooks.update(id, limits)))
  }
  yield* enableAll(endpoints)
})

/** Sends to all of them again, from where each has stopped. */
const enableAll = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  for (const { id, world } of endpoints) {
    const as = World.as(world)
    const { status } = yield* as(Webhooks.use((webhooks) => webhooks.get(id)))
    if (status === "ENABLED") continue
    yield* as(Webhooks.use((webhooks) => webhooks.enable(id, { from: "WHERE_IT_STOPPED" })))
  }
})

/** How many events have come to them, each counted once. */
export const arrived = (endpoints: ReadonlyArray<Endpoint>): number =>
  endpoints.reduce((sum, { receiver }) => sum + receiver.taken.events.size, 0)

/** How many requests have come to them. */
export const requests = (endpoints: ReadonlyArray<Endpoint>): number =>
  endpoints.reduce((sum, { receiver }) => sum + receiver.count.requests, 0)
