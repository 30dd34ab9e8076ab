/** Keeps a program away from a database whose tenants it must not serve. */
import {
  EnvironmentMismatch,
  runningEnvironment
} from "@quittance/domain/tenants/RunningEnvironment"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Effect, Layer } from "effect"

/**
 * Fails where production finds tenants of a sandbox, whose secrets may be public, or a sandbox finds tenants
 * of production, among which it would make such tenants.
 */
export const guard = Effect.gen(function* () {
  const environment = yield* runningEnvironment
  const tenants = yield* TenantsRepo
  const [first, ...others] = yield* tenants.strangersTo(environment)
  if (first !== undefined) {
    return yield* new EnvironmentMismatch({ environment, tenants: [first, ...others] })
  }
}).pipe(Effect.withSpan("EnvironmentGuard.guard"))

/** Is built before whatever it is provided to: nothing is served, seeded or worked on without it. */
export const layer = Layer.effectDiscard(guard).pipe(Layer.provide(TenantsRepo.layer))
