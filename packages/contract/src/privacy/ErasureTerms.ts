/** What the members of erasures and of holds on data mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const erasureTerms = {
  "Erasure.id": "The identifier of the erasure.",
  "Erasure.customerId": "The customer whose data were erased.",
  "Erasure.policyId":
    "The policy whose data about the customer were erased; absent: data of the customer themselves.",
  "Erasure.class": "The class of data.",
  "Erasure.counts": "The number of rows that were emptied or removed, by table.",
  "Erasure.ground": "The ground of the erasure.",
  "Erasure.privacyRequestId": "The privacy request that it was done for.",
  "Erasure.erasedAt": "The instant of the erasure, in UTC.",
  "KeptData.customerId": "The customer whose data are kept.",
  "KeptData.policyId":
    "The policy whose data about the customer are kept; absent: data of the customer themselves.",
  "KeptData.class": "The class of data.",
  "KeptData.until": "The end of the longest clock, in UTC; absent while one waits.",
  "KeptData.waitsFor":
    "The reason for which a clock does not count yet: the contract is not over, or money is owed.",
  "KeptData.source": "The law or recommendation that asks to keep them.",
  "ErasureReport.privacyRequestId": "The privacy request that was carried out.",
  "ErasureReport.erased": "The erasures, in their order.",
  "ErasureReport.kept": "The data that are kept, with the reasons.",
  "ErasurePreview.privacyRequestId": "The privacy request that it is about.",
  "ErasurePreview.erasable":
    "The data that an erasure would take now; none while a hold is in force.",
  "ErasurePreview.kept": "The data that it would keep, with the reasons.",
  "ErasurePreview.holds": "The holds in force, which have to be lifted first.",
  "erasable.customerId": "The customer whose data they are.",
  "erasable.policyId": "The policy that they are data of; absent: data of the customer themselves.",
  "erasable.class": "The class of data.",
  "erasable.counts": "The number of rows, by table.",
  "ErasePerson.classes":
    "The classes to erase, each of which must be free of duties; absent: all that are.",
  "ErasePerson.ground":
    "The ground of the erasure, at most 200 characters and without personal data.",
  "RetentionHold.id": "The identifier of the hold.",
  "RetentionHold.customerId": "The customer whose data are held.",
  "RetentionHold.policyId": "The policy whose data are held.",
  "RetentionHold.reason": "The reason of the hold.",
  "RetentionHold.until":
    "The instant from which it holds no longer, in UTC; absent: until it is lifted.",
  "RetentionHold.placedBy": "The user or client that has placed it.",
  "RetentionHold.placedAt": "The instant at which it was placed, in UTC.",
  "RetentionHold.liftedAt": "The instant at which it was lifted, in UTC.",
  "PlaceRetentionHold.customerId": "The customer whose data to hold; either this or `policyId`.",
  "PlaceRetentionHold.policyId": "The policy whose data to hold; either this or `customerId`.",
  "PlaceRetentionHold.reason":
    "The reason of the hold, at most 2,000 characters and without personal data: it is kept.",
  "PlaceRetentionHold.until":
    "The instant from which it holds no longer, which is to come; absent: until it is lifted.",
  "RetentionDuty.details.classes":
    "The data that are kept, with the end of their clock and its source.",
  "RetentionHeld.details.holds": "The holds in force.",
  "RetentionHoldNotFound.details.retentionHoldId":
    "The identifier that no hold of the tenant has, or one that was lifted."
}

/** What the parameters of this area mean. */
export const holdParameters: ParameterTerms = {
  privacyRequestId: { means: "The privacy request." },
  retentionHoldId: { means: "The hold." }
}
