/** What the members of the retention of data mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const retentionTerms = {
  "RetentionSettings.isAutomatic": "Whether the worker erases what no clock and no hold keeps.",
  "RetentionSettings.rules": "The rule of each class that counts now.",
  "RetentionSettings.changedAt":
    "The instant at which it was last changed, in UTC; absent: it never was.",
  "RetentionSettings.changedBy": "The user who changed it last.",
  "ChangeRetention.isAutomatic": "Whether the worker erases what no clock and no hold keeps.",
  "ChangeRetention.rules":
    "The tenant's own periods, one rule for each class at most; others have the defaults.",
  "OwnRetention.class": "The class of data.",
  "OwnRetention.active": "The time for which they are in use.",
  "OwnRetention.archive": "The time after that for which they are kept, not in use.",
  "OwnRetention.source": "The law or policy that it follows, at most 200 characters.",
  "RetentionPreview.erasable": "The data that the job would erase now.",
  "RetentionPreview.customers": "The number of customers that were looked at.",
  "RetentionPreview.held": "The number of them with data that a hold keeps.",
  "RetentionPreview.nextAfter":
    "The last customer that was looked at, for `after` of the next request; absent at the end.",
  "InvalidRetention.details.floors":
    "The classes that would be kept for too short a time, with the shortest that is allowed.",
  "InvalidRetention.details.floors.class": "The class of data.",
  "InvalidRetention.details.floors.atLeast": "The shortest time that is allowed for it.",
  "InvalidRetention.details.repeated": "The classes with more than one rule."
}

/** What the parameters of this area mean. */
export const retentionParameters: ParameterTerms = {
  after: { means: "The customer after whom to go on: `nextAfter` of the answer before." }
}
