import { Context } from "effect"

/**
 * Whether a failure says that what the service depends on is away, and nothing about the request or the
 * program. Whoever provides the database knows; without one nothing is away.
 */
export const IsAbsence = Context.Reference<(failure: unknown) => boolean>(
  "@quittance/domain/IsAbsence",
  { defaultValue: () => () => false }
)
