/** What every job of the worker does for one tenant after the other. */
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Effect } from "effect"

export interface Failed<A> {
  /** What the log says of a failure. */
  readonly message: string
  /** What the batch answers then: other tenants go on, and this one is tried again. */
  readonly answer: A
}

/**
 * Runs a batch in a tenant's name and never fails: a failure is logged. A batch that has begun is brought
 * to its end, also when the process is told to stop.
 */
export const runFor = <A, E, R>(
  tenantId: TenantId,
  batch: Effect.Effect<A, E, R>,
  { answer, message }: Failed<A>
): Effect.Effect<A, never, Exclude<R, CurrentTenant>> =>
  batch.pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logError(message, cause), answer)),
    Effect.provideService(CurrentTenant, tenantId),
    Effect.annotateLogs({ tenant: tenantId }),
    Effect.annotateSpans("quittance.tenant", tenantId),
    Effect.uninterruptible
  )
