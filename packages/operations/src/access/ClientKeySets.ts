/** The public keys by which a client authenticates (`private_key_jwt`), replaced all at once. */
import type { PutClientKeys } from "@quittance/domain/access/ClientRequests"
import {
  type ClientNotFound,
  type ClientView,
  LastSecret,
  reachOf,
  TooManySecrets
} from "@quittance/domain/access/Client"
import type { ClientId, CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { type AuthorizedClient, ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class ClientKeySets extends Context.Service<
  ClientKeySets,
  {
    /**
     * Replaces the keys of the client; an empty set removes them. The caller could act as the client with
     * these keys, so they need the same permissions as for a secret.
     */
    replace(
      id: ClientId,
      input: PutClientKeys
    ): Effect.Effect<
      ClientView,
      | ClientNotFound
      | Forbidden
      | IdempotencyKeyInUse
      | IdempotencyKeyReused
      | LastSecret
      | TooManySecrets,
      CurrentTenant | CurrentCaller | CurrentRequest
    >
  }
>()("@quittance/operations/ClientKeySets") {
  static readonly layer = Layer.effect(
    ClientKeySets,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const repo = yield* ClientsRepo

      const replace = Effect.fn("ClientKeySets.replace")(function* (
        id: ClientId,
        { keys }: PutClientKeys
      ) {
        const write = Effect.fnUntraced(function* ({ client: before }: AuthorizedClient) {
          if (before.kind === "PUBLIC") return yield* new TooManySecrets({ maximum: 0 })
          if (keys.length === 0 && before.secrets.length === 0) return yield* new LastSecret({})
          yield* repo.putKeys(id, keys)
          const after = { ...before, publicKeys: keys }
          yield* audit.record({ action: "client.keys.replace", recordId: id, before, after })
          return after
        })
        const authorized = repo.authorize("client.write", id, { lock: true })
        return yield* command.run({
          authorize: Effect.tap(authorized, ({ client }) =>
            authority.requireActions(reachOf(client.scopes), "client.write")
          ),
          decide: write
        })
      })

      return ClientKeySets.of({ replace })
    })
  ).pipe(Layer.provide([AuditTrail.layer, ClientsRepo.layer, Command.layer, GrantAuthority.layer]))
}
