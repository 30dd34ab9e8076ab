/** The applications that a tenant's authorization server knows: made, given secrets, ended. */
import type { CreateClient } from "@quittance/domain/access/ClientRequests"
import * as Secret from "@quittance/auth/Secret"
import {
  ClientId,
  CurrentCaller,
  type Forbidden,
  type Scope
} from "@quittance/domain/requests/Caller"
import {
  ClientIdTaken,
  ClientNotFound,
  type ClientSecretId,
  ClientSecretNotFound,
  type ClientView,
  internalOnly,
  InternalScope,
  LastSecret,
  maximumSecrets,
  reachOf,
  TooManySecrets
} from "@quittance/domain/access/Client"
import * as Page from "@quittance/domain/values/Page"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { OwnAccount } from "@quittance/domain/access/User"
import { type AuthorizedClient, ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** A secret, shown once: only its hash is stored. */
export interface NewSecret {
  readonly secretId: ClientSecretId
  readonly clientSecret: Redacted.Redacted
  readonly createdAt: ClientView["createdAt"]
}

/** A client with its first secret; a public one has none. */
export interface CreatedClient extends ClientView {
  readonly clientSecret?: Redacted.Redacted
}

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused

/**
 * A client acts on the whole tenant with the scopes that it was given. So a person who gives it scopes,
 * or a secret to act with, needs on the whole tenant `client.write` and all that one comes to by a
 * client with these scopes. A client with `platform/admin` may give every scope that is not internal only: that is
 * what the first client of a tenant is for.
 */
export class Clients extends Context.Service<
  Clients,
  {
    create(
      input: CreateClient
    ): Effect.Effect<CreatedClient, ClientIdTaken | Forbidden | InternalScope, Scoped>
    get(id: ClientId): Effect.Effect<ClientView, ClientNotFound | Forbidden, Asked>
    /** The clients of the tenant's own, in the order of their identifiers. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<ClientView>, Forbidden, Asked>
    /** Makes a second secret valid, so that the first can be replaced while it works. */
    addSecret(
      id: ClientId
    ): Effect.Effect<NewSecret, ClientNotFound | Forbidden | TooManySecrets, Scoped>
    /** Ends a secret, but not the last one; tokens that were got with it count until they expire. */
    removeSecret(
      id: ClientId,
      secretId: ClientSecretId
    ): Effect.Effect<
      void,
      ClientNotFound | ClientSecretNotFound | LastSecret | WriteFailure,
      Scoped
    >
    /** Ends a client for good, and its tokens within a second on every instance. */
    remove(id: ClientId): Effect.Effect<void, ClientNotFound | OwnAccount | WriteFailure, Scoped>
  }
>()("@quittance/operations/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* ClientsRepo

      /** Whether the caller may let a client act with these scopes. */
      const requireScopes = (scopes: ReadonlyArray<Scope>) =>
        authority.requireActions(reachOf(scopes), "client.write")

      /** A new secret of a client whose row is locked; `undefined` when it has too many. */
      const issueSecret = Effect.fnUntraced(function* (id: ClientId) {
        const secret = Secret.make(yield* random.randomBytes(Secret.secretBytes))
        const stored = yield* repo.addSecret(id, Secret.hash(secret))
        return stored && { ...stored, clientSecret: Redacted.make(secret) }
      })

      const create = Effect.fn("Clients.create")(function* (input: CreateClient) {
        const write = Effect.gen(function* () {
          const internal = internalOnly(input.scopes)
          if (internal.length > 0) return yield* new InternalScope({ scopes: internal })
          const { id, ...client } = registration(input, () => ids.next("client"))
          const isNew = yield* repo.register({ ...client, id, internal: false })
          if (!isNew) return yield* new ClientIdTaken({ clientId: id })
          const secret = client.kind === "PUBLIC" ? undefined : yield* issueSecret(id)
          // Just made, by a caller who may.
          const after = yield* Effect.orDie(repo.authorize("client.write", id))
          yield* audit.record({ action: "client.create", recordId: id, after: after.client })
          return secret === undefined
            ? after.client
            : { ...after.client, clientSecret: secret.clientSecret }
        })
        return yield* command
          .run({ authorize: requireScopes(input.scopes), decide: () => write })
          .pipe(Effect.catchTags(withoutKey))
      })

      const get = Effect.fn("Clients.get")(function* (id: ClientId) {
        return (yield* repo.authorize("client.read", id)).client
      })

      const list = Effect.fn("Clients.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("client.read")
        const { clients, total } = yield* repo.list(page)
        return Page.make(clients, total, page)
      })

      /** What a change of secrets leaves on record. */
      const changed = Effect.fnUntraced(function* (action: string, before: ClientView) {
        const after = yield* Effect.orDie(repo.authorize("client.write", before.clientId))
        const recordId = before.clientId
        yield* audit.record({ action, recordId, before, after: after.client })
      })

      const addSecret = Effect.fn("Clients.addSecret")(function* (id: ClientId) {
        const write = Effect.fnUntraced(function* ({ client }: AuthorizedClient) {
          const maximum = client.kind === "PUBLIC" ? 0 : maximumSecrets
          const secret = maximum === 0 ? undefined : yield* issueSecret(id)
          if (secret === undefined) return yield* new TooManySecrets({ maximum })
          yield* changed("client.secret.add", client)
          return secret
        })
        const authorized = repo.authorize("client.write", id, { lock: true })
        return yield* command
          .run({
            authorize: Effect.tap(authorized, ({ client }) => requireScopes(client.scopes)),
            decide: write
          })
          .pipe(Effect.catchTags(withoutKey))
      })

      const removeSecret = Effect.fn("Clients.removeSecret")(function* (
        id: ClientId,
        secretId: ClientSecretId
      ) {
        const write = Effect.fnUntraced(function* ({ client }: AuthorizedClient) {
          const { secrets } = client
          if (!secrets.some((secret) => secret.secretId === secretId)) {
            return yield* new ClientSecretNotFound({ secretId })
          }
          if (secrets.length === 1 && client.publicKeys.length === 0)
            return yield* new LastSecret({})
          yield* repo.removeSecret(id, secretId)
          yield* changed("client.secret.remove", client)
          return null
        })
        yield* command.run({
          authorize: repo.authorize("client.write", id, { lock: true }),
          decide: write
        })
      })

      const remove = Effect.fn("Clients.remove")(function* (id: ClientId) {
        const caller = yield* CurrentCaller
        const write = Effect.fnUntraced(function* (authorized: AuthorizedClient | undefined) {
          if (authorized === undefined) return yield* new ClientNotFound({ clientId: id })
          if (caller._tag === "Client" && caller.clientId === id) return yield* new OwnAccount({})
          yield* repo.disable(id)
          const before = authorized.client
          yield* audit.record({ action: "client.remove", recordId: id, before })
          return null
        })
        yield* command.run({
          // What is gone has no permission on it, but the repetition of a deletion has an answer.
          authorize: Effect.catchTag(
            repo.authorize("client.write", id, { lock: true }),
            "ClientNotFound",
            () => Effect.undefined
          ),
          decide: write
        })
      })

      return Clients.of({ create, get, list, addSecret, removeSecret, remove })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      ClientsRepo.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      SecureRandom.layerWebCrypto
    ])
  )
}

/** What answers a secret takes no key, so that no answer is stored. */
const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }

/** The client as it is kept, with what the request leaves to us. */
const registration = (
  { clientId, kind = "CONFIDENTIAL", ...input }: CreateClient,
  nextId: () => string
) => ({
  id: clientId ?? ClientId.make(nextId()),
  name: input.name,
  kind,
  scopes: input.scopes,
  grantTypes:
    input.grantTypes ??
    (kind === "PUBLIC"
      ? (["authorization_code", "refresh_token"] as const)
      : (["client_credentials"] as const)),
  redirectUris: input.redirectUris ?? []
})
