/** Who does something: the caller of a request, or a job of the service. */
import { type Caller, ClientId, CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { Effect } from "effect"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { AuditActorKind } from "@quittance/domain/requests/Actor"

export interface Actor {
  readonly kind: AuditActorKind
  readonly id: string
  readonly requestId: string
}

/** Who is on record for what is done from beside the service; no client can have this identifier. */
export const operator: Caller = {
  _tag: "Client",
  clientId: ClientId.make("quittance:operator"),
  scopes: new Set()
}

const kinds = {
  Client: "CLIENT",
  User: "USER",
  Anonymous: "ANONYMOUS",
  Signer: "ANONYMOUS"
} as const

/** A caller as an actor. */
export const actorOf = (caller: Caller, requestId: string): Actor => ({
  kind: kinds[caller._tag],
  id: subject(caller),
  requestId
})

/** The caller of the running request as an actor. */
export const requestActor = Effect.gen(function* () {
  return actorOf(yield* CurrentCaller, (yield* CurrentRequest).id)
})
