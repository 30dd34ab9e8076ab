/** Endpoints of webhooks, and a receiver for them in a process of its own. */
import { ClientId, CurrentCaller, type Scope } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import type { CreateWebhook } from "@quittance/domain/webhooks/WebhookRequests"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Webhooks } from "@quittance/operations/webhooks/Webhooks"
import * as Wiring from "@quittance/operations/Wiring"
import { CallRules } from "@quittance/outgoing/CallRules"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import * as Forked from "./Forked.ts"
import { keyEncryptionKey } from "./PolicyWorld.ts"
import type { Answer, Question } from "./WebhookReceiver.ts"

/** What makes endpoints, on a database. */
export const layer = Webhooks.layer.pipe(
  Layer.provide([Wiring.layer, KeyEncryption.layerOf(keyEncryptionKey), CallRules.layer]),
  Layer.provide([ProductsRepo.layer, RateLimitStore.layerPostgres])
)

/** An endpoint of a tenant, as a client of it makes one. */
export const create = (tenant: TenantId, webhook: CreateWebhook) =>
  Webhooks.use((webhooks) => webhooks.create(webhook)).pipe(
    Effect.provideService(CurrentTenant, tenant),
    Effect.provideService(CurrentCaller, {
      _tag: "Client",
      clientId: ClientId.make("bench"),
      scopes: new Set<Scope>()
    }),
    Effect.provideService(CurrentRequest, {
      id: "bench",
      dryRun: false,
      address: "127.0.0.1",
      userAgent: "bench",
      answer: { replayed: false }
    }),
    Effect.orDie
  )

/** Starts a receiver; it ends with the scope. */
export const receiver = Effect.gen(function* () {
  const child = yield* Forked.startBare("./WebhookReceiver.ts", {})
  // It says where it listens as soon as it does, and answers each question with one answer.
  const told = Effect.promise(async () => (await once(child, "message"))[0] as Answer)
  const { port } = yield* told
  const ask = (question: Question) =>
    Effect.suspend(() => {
      const answer = Effect.promise(() => once(child, "message"))
      child.send(question)
      return Effect.map(answer, ([found]) => found as Answer)
    })
  return { ask, url: `http://127.0.0.1:${port}` }
})
