/** What endpoints sign with: made here, stored sealed, shown once. */
import { seal, unseal } from "@quittance/auth/Sealed"
import * as StandardWebhook from "@quittance/auth/StandardWebhook"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { WebhookId } from "@quittance/domain/values/Ids"
import type { Webhook, WebhookSecret } from "@quittance/domain/webhooks/Webhook"
import { WebhookSecretsRepo } from "@quittance/persistence/webhooks/WebhookSecretsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { sha256 } from "../values/Sha256.ts"

/** A new secret as its owner sees it, once: a secret that both sides know, or the public key of ours. */
export interface ShownSecret extends WebhookSecret {
  readonly secret?: Redacted.Redacted
  readonly publicKey?: string
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** Adds a secret; those before it sign for so many seconds more. */
    issue(
      webhook: Pick<Webhook, "id" | "signing">,
      now: Instant,
      overlap: number
    ): Effect.Effect<ShownSecret, never, CurrentTenant>
    /** All that sign at an instant, the newest first. */
    live(id: WebhookId, now: Instant): Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>
  }
>()("@quittance/operations/WebhookSecrets") {
  static readonly layer = Layer.effect(
    WebhookSecrets,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* WebhookSecretsRepo
      const { keys } = yield* KeyEncryption

      const issue = Effect.fn("WebhookSecrets.issue")(function* (
        { id, signing }: Pick<Webhook, "id" | "signing">,
        now: Instant,
        overlap: number
      ) {
        const bytes = yield* random.randomBytes(StandardWebhook.secretBytes)
        const isShared = signing === "HMAC"
        const text = isShared
          ? StandardWebhook.secretOf(bytes)
          : StandardWebhook.privateKeyOf(bytes)
        const secretId = sha256(sha256(text)).slice(0, 16)
        const binding = bindingOf(yield* CurrentTenant, id, secretId)
        const sealedSecret = yield* seal(
          text,
          { ...binding, contentType: "text/plain" },
          Redacted.value(keys)
        )
        const stored = { id: secretId, createdAt: now }
        yield* repo.add(
          id,
          { ...stored, sealedSecret },
          fromEpochMillis(toEpochMillis(now) + overlap * 1000)
        )
        const shown: ShownSecret = isShared
          ? { ...stored, secret: Redacted.make(text) }
          : { ...stored, publicKey: StandardWebhook.publicKeyOf(text) }
        return shown
      })

      const live = Effect.fn("WebhookSecrets.live")(function* (id: WebhookId, now: Instant) {
        const tenant = yield* CurrentTenant
        return yield* Effect.forEach(yield* repo.live(id, now), (secret) =>
          unseal(secret.sealedSecret, bindingOf(tenant, id, secret.id), Redacted.value(keys))
        )
      })

      return WebhookSecrets.of({ issue, live })
    })
  ).pipe(Layer.provide([WebhookSecretsRepo.layer, SecureRandom.layerWebCrypto]))
}

/** What a sealed secret is bound to. */
const bindingOf = (tenant: string, webhookId: string, secretId: string) => ({
  tenant,
  kid: `webhook/${webhookId}/${secretId}`
})
