/** The endpoints of a tenant: made, changed, given secrets, switched off and on. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { TooManySecrets } from "@quittance/domain/access/Client"
import { knownPatterns, type UnknownEventType } from "@quittance/domain/events/EventFilter"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import {
  defaultOverlap,
  InvalidWebhookUrl,
  LastWebhookSecret,
  maximumSecrets,
  maximumWebhooks,
  TooManyWebhooks,
  type Webhook,
  type WebhookNotFound,
  WebhookSecretNotFound
} from "@quittance/domain/webhooks/Webhook"
import { withFilter } from "@quittance/domain/webhooks/WebhookFilter"
import type {
  AddWebhookSecret,
  CreateWebhook,
  EnableWebhook,
  UpdateWebhook
} from "@quittance/domain/webhooks/WebhookRequests"
import { CallRules, urlFault } from "@quittance/outgoing/CallRules"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { WebhooksRepo } from "@quittance/persistence/webhooks/WebhooksRepo"
import { WebhookSecretsRepo } from "@quittance/persistence/webhooks/WebhookSecretsRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { type ShownSecret, WebhookSecrets } from "./WebhookSecrets.ts"

/** A new endpoint with what its events are verified by. */
export interface CreatedWebhook extends Webhook, Pick<ShownSecret, "publicKey" | "secret"> {}

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | WebhookNotFound
type SettingsFailure = InvalidWebhookUrl | UnknownEventType

/** What settings that are left out are. */
const defaults = {
  ordering: "PER_SUBJECT",
  signing: "HMAC",
  schema: 1,
  concurrency: 8,
  perSecond: 50
} as const

export class Webhooks extends Context.Service<
  Webhooks,
  {
    create(
      input: CreateWebhook
    ): Effect.Effect<
      CreatedWebhook,
      Forbidden | InvalidReference | SettingsFailure | TooManyWebhooks,
      Scoped
    >
    get(id: WebhookId): Effect.Effect<Webhook, Forbidden | WebhookNotFound, Asked>
    list(page: Page.PageRequest): Effect.Effect<Page.Page<Webhook>, Forbidden, Asked>
    /** Other types count for events that have no position yet for the endpoint. */
    update(
      id: WebhookId,
      input: UpdateWebhook
    ): Effect.Effect<Webhook, SettingsFailure | WriteFailure, Scoped>
    remove(id: WebhookId): Effect.Effect<void, WriteFailure, Scoped>
    addSecret(
      id: WebhookId,
      input: AddWebhookSecret
    ): Effect.Effect<ShownSecret, Forbidden | TooManySecrets | WebhookNotFound, Scoped>
    removeSecret(
      id: WebhookId,
      secretId: string
    ): Effect.Effect<void, LastWebhookSecret | WebhookSecretNotFound | WriteFailure, Scoped>
    disable(id: WebhookId): Effect.Effect<Webhook, WriteFailure, Scoped>
    enable(id: WebhookId, input: EnableWebhook): Effect.Effect<Webhook, WriteFailure, Scoped>
  }
>()("@quittance/operations/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const firms = yield* FirmsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const repo = yield* WebhooksRepo
      const rules = yield* CallRules
      const secrets = yield* WebhookSecrets
      const secretsRepo = yield* WebhookSecretsRepo

      const now = Effect.map(Clock.currentTimeMillis, fromEpochMillis)

      /** What can't be called, or told. */
      const checked = Effect.fnUntraced(function* ({
        types,
        url
      }: Pick<UpdateWebhook, "types" | "url">) {
        const why = url === undefined ? undefined : urlFault(url, rules)
        if (why !== undefined) return yield* new InvalidWebhookUrl({ why })
        yield* Effect.fromResult(knownPatterns(types ?? []))
      })

      const known = Effect.fnUntraced(function* ({ brokerageFirmId }: CreateWebhook) {
        if (brokerageFirmId === undefined) return
        if ((yield* firms.find(brokerageFirmId)) !== undefined) return
        return yield* new InvalidReference({ field: "brokerageFirmId", value: brokerageFirmId })
      })

      const writable = (id: WebhookId) => repo.authorize("webhook.write", id, { lock: true })

      /** Records what was done to a webhook, and answers how it is now. */
      const changed = Effect.fnUntraced(function* (
        action: `webhook.${"addSecret" | "removeSecret" | "disable" | "enable"}`,
        before: Webhook,
        detail: Readonly<Record<string, string>>
      ) {
        const recordId = before.id
        const { webhook: after } = yield* Effect.orDie(repo.authorize("webhook.write", recordId))
        yield* audit.record({ action, recordId, before, after, detail })
        return after
      })

      const create = Effect.fn("Webhooks.create")(function* (input: CreateWebhook) {
        const write = Effect.gen(function* () {
          yield* checked(input)
          yield* known(input)
          if ((yield* repo.countLocked) >= maximumWebhooks) {
            return yield* new TooManyWebhooks({ maximum: maximumWebhooks })
          }
          const { from: asked = "NOW", ...settings } = input
          const head = yield* repo.head
          const from = asked === "NOW" ? head : asked === "BEGINNING" ? 0 : Math.min(asked, head)
          const id = ids.next("webhook")
          const createdAt = yield* now
          yield* repo.insert({ ...defaults, ...settings, id, from, createdAt })
          const { signing = defaults.signing } = input
          const { publicKey, secret } = yield* secrets.issue({ id, signing }, createdAt, 0)
          // Just made, by a caller who may.
          const { webhook } = yield* Effect.orDie(repo.authorize("webhook.write", id))
          yield* audit.record({ action: "webhook.create", recordId: id, after: webhook })
          const created: CreatedWebhook = {
            ...webhook,
            ...(secret === undefined ? {} : { secret }),
            ...(publicKey === undefined ? {} : { publicKey })
          }
          return created
        })
        return yield* command
          .run({ authorize: grants.requireOnTenant("webhook.write"), decide: () => write })
          .pipe(Effect.catchTags(withoutKey))
      })

      const get = Effect.fn("Webhooks.get")((id: WebhookId) =>
        Effect.map(repo.authorize("webhook.read", id), ({ webhook }) => webhook)
      )

      const list = Effect.fn("Webhooks.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("webhook.read")
        const { total, webhooks } = yield* repo.list(page)
        return Page.make(webhooks, total, page)
      })

      const update = Effect.fn("Webhooks.update")((id: WebhookId, input: UpdateWebhook) =>
        command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* (target) {
            yield* checked(input)
            const before = target.webhook
            const { description = before.description, headers = before.headers, ...others } = input
            const { description: _, headers: __, ...rest } = before
            const after: Webhook = {
              ...rest,
              ...others,
              ...(description == null ? {} : { description }),
              ...(headers == null ? {} : { headers })
            }
            const { filters, position } = yield* repo.state(id)
            const next =
              input.types === undefined
                ? filters
                : withFilter(filters, { after: position, types: input.types })
            yield* repo.update(after, next)
            yield* audit.record({ action: "webhook.update", recordId: id, before, after })
            return after
          })
        })
      )

      const remove = Effect.fn("Webhooks.remove")(function* (id: WebhookId) {
        yield* command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* ({ webhook: before }) {
            yield* repo.remove(id)
            yield* audit.record({ action: "webhook.delete", recordId: id, before })
            return null
          })
        })
      })

      const addSecret = Effect.fn("Webhooks.addSecret")(
        (id: WebhookId, { overlap = defaultOverlap }: AddWebhookSecret) =>
          command
            .run({
              authorize: writable(id),
              decide: Effect.fnUntraced(function* ({ webhook }) {
                const at = yield* now
                yield* secretsRepo.removeEnded(id, at)
                if ((yield* secretsRepo.live(id, at)).length >= maximumSecrets) {
                  return yield* new TooManySecrets({ maximum: maximumSecrets })
                }
                const shown = yield* secrets.issue(webhook, at, overlap)
                yield* changed("webhook.addSecret", webhook, { secretId: shown.id })
                return shown
              })
            })
            .pipe(Effect.catchTags(withoutKey))
      )

      const removeSecret = Effect.fn("Webhooks.removeSecret")(function* (
        id: WebhookId,
        secretId: string
      ) {
        yield* command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* ({ webhook }) {
            const found = webhook.secrets.find((secret) => secret.id === secretId)
            if (found === undefined)
              return yield* new WebhookSecretNotFound({ webhookSecretId: secretId })
            if (found.endsAt === undefined) return yield* new LastWebhookSecret({})
            yield* secretsRepo.remove(id, secretId)
            yield* changed("webhook.removeSecret", webhook, { secretId })
            return null
          })
        })
      })

      const disable = Effect.fn("Webhooks.disable")((id: WebhookId) =>
        command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* (target) {
            if (target.webhook.status === "DISABLED") return target.webhook
            yield* repo.disable(id, "REQUESTED")
            return yield* changed("webhook.disable", target.webhook, { reason: "REQUESTED" })
          })
        })
      )

      const enable = Effect.fn("Webhooks.enable")((id: WebhookId, { from }: EnableWebhook) =>
        command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* (target) {
            const { head } = yield* repo.state(id)
            const start =
              from === "WHERE_IT_STOPPED" ? undefined : from === "NOW" ? head : Math.min(from, head)
            yield* repo.enable(id, start)
            return yield* changed("webhook.enable", target.webhook, { from: `${from}` })
          })
        })
      )

      return Webhooks.of({
        create,
        get,
        list,
        update,
        remove,
        addSecret,
        removeSecret,
        disable,
        enable
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      FirmsRepo.layer,
      GrantsRepo.layer,
      WebhookSecrets.layer,
      WebhookSecretsRepo.layer,
      WebhooksRepo.layer
    ])
  )
}

/** What answers a secret takes no key, so that no answer is stored. */
const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }
