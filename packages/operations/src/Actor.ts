/** Who does something: the caller of a request, or a job of the service. */
import type { AuditActorKind } from "@quittance/domain/Audit"
import { type Caller, CurrentCaller, subject } from "@quittance/domain/Caller"
import { Effect } from "effect"
import { CurrentRequest } from "./CurrentRequest.ts"

export interface Actor {
  readonly kind: AuditActorKind
  readonly id: string
  readonly requestId: string
}

const kinds = { Client: "CLIENT", User: "USER", Anonymous: "ANONYMOUS" } as const

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
