import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import * as TenantMemory from "./TenantMemory.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import * as Verification from "./Verification.ts"

/** Tokens: what it costs to give and to verify one, and to know many tenants. */
export const bench = Effect.forEach(
  [TokenEndpoint.bar, Verification.bar, TenantMemory.bar],
  Effect.scoped
).pipe(Effect.provide(Reactivity.layer))
