import type { AccountInformation } from "@quittance/contract/access/Account"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { type Caller, CurrentCaller, scopeNames, subject } from "@quittance/domain/requests/Caller"
import { visitor } from "@quittance/domain/access/Grant"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { PersonSignIns } from "@quittance/operations/access/PersonSignIns"
import { PasswordChange } from "@quittance/operations/authorization-server/PasswordChange"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export const AccountHandlers = HttpApiBuilder.group(
  PublicApi,
  "account",
  Effect.fn(function* (handlers) {
    const grants = yield* GrantsRepo
    const environment = yield* runningEnvironment
    const passwords = yield* PasswordChange
    const signIns = yield* PersonSignIns

    /** Scopes of a client, in the order of the interface; grants of any other caller. */
    const authorityOf = Effect.fnUntraced(function* (caller: Caller) {
      switch (caller._tag) {
        case "Client":
          return { scopes: scopeNames.filter((scope) => caller.scopes.has(scope)) }
        case "User":
          return { permissions: yield* grants.of(caller.userId) }
        case "Anonymous":
          return { permissions: [visitor, ...(yield* grants.of(caller.sessionId))] }
        case "Signer":
          return { permissions: [] }
      }
    })

    return handlers.handleAll({
      changePassword: ({ payload }) => passwords.change(payload),
      listSignIns: ({ query }) => signIns.listOwn(pageRequest(query)),
      endSignIn: ({ params }) => signIns.endOwn(params.signInId),
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
).pipe(Layer.provide([GrantsRepo.layer, PasswordChange.layer, PersonSignIns.layer]))

const kinds = {
  Client: "client",
  User: "user",
  Anonymous: "anonymous",
  Signer: "anonymous"
} as const
