/** What the members of errors and of their catalogue mean. */
export const requestTerms = {
  code: "The error, as a constant; `/errors` lists all of them.",
  message: "What to do next, in a sentence for people.",
  details: "Details of the error; their members depend on the code.",
  errors: "Every error that the service answers.",
  "CatalogueEntry.code": "The error's code, for programs.",
  "CatalogueEntry.status": "The HTTP status that the error is answered with.",
  when: "When the error is answered.",
  "CatalogueEntry.example": "A body of the error, as it may come.",
  "InvalidRequest.details.issues": "Every fault that was found, not just the first.",
  "RequestIssue.in": "The part of the request with the fault.",
  "RequestIssue.path":
    "The name of a parameter, or a JSON pointer (RFC 6901) into the body, such as `/customFields/0/key`.",
  "RequestIssue.message": "The value that is expected there.",
  "UnsupportedMediaType.details.accepted": "The media types that the route takes.",
  "PayloadTooLarge.details.maximum": "The largest body that is taken, in bytes.",
  requiredScope: "The scope that the client's token lacks; absent where a permission is missing.",
  "Forbidden.details.action": "The action that a permission would have to allow.",
  "details.recordId": "The record that the tenant does not have.",
  "InvalidEffectiveDate.details.field": "The parameter or member whose time is outside the limits.",
  "InvalidEffectiveDate.details.earliest":
    "The first instant that is allowed, in UTC; absent where there is no such limit.",
  "InvalidEffectiveDate.details.latest":
    "The end of the allowed time, in UTC; absent where there is no such limit.",
  "InvalidReference.details.field": "The member or parameter that names the record.",
  "InvalidReference.details.value": "The value that it named.",
  "InvalidReference.details.expected":
    "The kind of record that it has to name; absent where the tenant has no such record.",
  "InvalidAmount.details.field": "The member whose amount is out of bounds.",
  "InvalidAmount.details.minimum":
    "The smallest amount that is taken, in the minor unit of the currency.",
  "InvalidAmount.details.maximum":
    "The largest amount that is taken, in the minor unit of the currency.",
  "InvalidTransition.details.status": "The record's state, in the words of its life cycle.",
  command: "The step that was asked for.",
  "InvalidTransition.details.allowed": "The steps that are possible from there.",
  "InvalidTransition.details.effectiveAt":
    "When the recorded step that is in the way takes effect, in UTC; absent where there is none.",
  etag: "The strong etag of the record as it is now; absent where other writers kept changing the record.",
  retryAfter: "Seconds until the next request is taken, as the header `retry-after` says.",
  "RateLimited.details.limit": "How many requests the window allows.",
  remaining: "How many requests are left in the window.",
  reset: "Seconds until the window ends.",
  maxAge: "How many seconds ago the person may have signed in."
}
