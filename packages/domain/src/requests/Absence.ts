import { Context } from "effect"

/**
 * Whether a failure means that a dependency of the service is unavailable, not that the request or the
 * program is wrong. The layer of the database decides; without one nothing is unavailable.
 */
export const IsAbsence = Context.Reference<(failure: unknown) => boolean>(
  "@quittance/domain/IsAbsence",
  { defaultValue: () => () => false }
)
