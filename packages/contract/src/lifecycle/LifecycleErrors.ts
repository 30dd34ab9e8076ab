/** The errors of the area lifecycle on the wire. The last argument of each shows its details. */
import * as StopRules from "@quittance/domain/lifecycle/StopRules"
import { wireError } from "../requests/WireError.ts"

export const lifecycleErrors = {
  StopNotPossible: wireError(
    StopRules.StopNotPossible,
    409,
    "STOP_NOT_POSSIBLE",
    "A stop before the law of its reason lets the contract end, or not at the end of a term where the law wants that; `details.earliest` says when it may.",
    {
      reason: "INFRA_ANNUAL",
      earliest: "2027-05-01T22:00:00.000Z",
      article: "art. L113-15-2 code des assurances"
    }
  )
} as const
