/** The errors of the area dunning on the wire. The last argument of each shows its details. */
import * as Dunning from "@quittance/domain/dunning/Dunning"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const dunningErrors = {
  HoldNotFound: wireError(
    Dunning.HoldNotFound,
    404,
    "HOLD_NOT_FOUND",
    "The policy has no such hold, or it is over.",
    { holdId: id("hold") }
  ),
  TerminationNotPossible: wireError(
    Dunning.TerminationNotPossible,
    409,
    "TERMINATION_NOT_POSSIBLE",
    "A stop for unpaid premiums before the product lets the contract end; `details.earliest` says from when on it may, where that is known.",
    { reason: "NON_PAYMENT", earliest: "2026-06-02T22:00:00.000Z" }
  )
} as const
