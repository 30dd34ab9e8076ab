import type { AccountInformation } from "@quittance/contract/access/Account"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { type Caller, CurrentCaller, scopeNames, subject } from "@quittance/domain/requests/Caller"
import { visitor } from "@quittance/domain/access/Grant"
import { CurrentTenant, Environment } from "@quittance/domain/tenants/Tenant"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Config, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const AccountHandlers = HttpApiBuilder.group(
  PublicApi,
  "account",
  Effect.fn(function* (handlers) {
    const grants = yield* GrantsRepo
    const environment = yield* Config.schema(Environment, "ENVIRONMENT").pipe(
      Config.withDefault("sandbox" as const)
    )

    /** Scopes of a client, in the order of the interface; grants of anybody else. */
    const authorityOf = Effect.fnUntraced(function* (caller: Caller) {
      switch (caller._tag) {
        case "Client":
          return { scopes: scopeNames.filter((scope) => caller.scopes.has(scope)) }
        case "User":
          return { permissions: yield* grants.of(caller.userId) }
        case "Anonymous":
          return { permissions: [visitor, ...(yield* grants.of(caller.sessionId))] }
      }
    })

    return handlers.handleAll({
      get: Effect.fn(function* () {
        const caller = yield* CurrentCaller
        const account: AccountInformation = {
          kind: kinds[caller._tag],
          tenant: yield* CurrentTenant,
          environment,
          id: subject(caller),
          ...(yield* authorityOf(caller))
        }
        return account
      })
    })
  })
).pipe(Layer.provide(GrantsRepo.layer))

const kinds = { Client: "client", User: "user", Anonymous: "anonymous" } as const
