/** A sign-in whose first factor was right and that waits for more. */
import { Schema } from "effect"

/** What a sign-in waits for: a proof, a first factor, a look at new recovery codes; or it is managing. */
export const AttemptStage = Schema.Literals(["PROVE", "ENROL", "DONE", "MANAGE"])
export type AttemptStage = typeof AttemptStage.Type

/** Seconds that a sign-in waits. */
export const attemptLifetime = 600
/** Wrong answers after which the password is asked for again. */
export const attemptTries = 5
