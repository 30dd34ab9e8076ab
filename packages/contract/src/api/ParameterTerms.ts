const servesBranch = "Checked against the product's limits; it moves nothing."
const takenBack = "Deletes nothing. The reverted change has no effect from its own instant on."

/**
 * What parameters and headers of requests mean. A name that means several things has an entry for an
 * operation (`users.list.statuses`), a method (`get.whenAt`) or a place (`path.branchId`) as well.
 */
export const parameterTerms: Readonly<Record<string, string>> = {
  "permissions.explain.action": "What they would do.",
  action: "Only rows of this action, by its whole name.",
  actorId: "Only rows of this actor: an identifier, or the name of a job.",
  "events.feed.after":
    "The last position that you have, as `next` of the answer before says it; default: 0, from the first event on.",
  "events.ofPolicy.after":
    "The `sequence` of the last event that you have; default: 0, from the first event on.",
  assetId: "The asset, by its identifier.",
  "path.branchId": "The branch, by its identifier.",
  "get.branchId":
    "The branch to read; default: what is in force, or before the signature the sale.",
  "policyLifecycle.changes.branchId":
    "The branch whose changes to list, with those in force where it forked; default: all branches.",
  "quotes.listByPolicy.branchId":
    "The branch on which the quotes were given; default: all of them.",
  "branches.open.branchId":
    "Before the signature, the offer whose data the new branch begins with; default: the sale.",
  branchId: "The branch to work on; default: what is in force, or before the signature the sale.",
  "path.brokerageFirmId": "The brokerage firm, by its identifier.",
  "users.list.brokerageFirmId": "Only users of this firm.",
  brokerageFirmId: "Only policies of this brokerage firm.",
  "events.feed.subject":
    "Only events of this subject: the identifier of a record, or its kind and name, such as `product:motor-fr`.",
  "events.feed.types":
    "Only events of these types: names such as `invoice.issued`, or patterns such as `policy.*`; at most 100.",
  wait: "How many seconds an answer without events is held back until some come, 0 to 25; default: 0.",
  changeId: "The change to take back, by its identifier.",
  clientId: "The client, by its identifier.",
  "events.feed.count": "How many events the answer holds at most, 1 to 1000; default: 100.",
  "events.ofPolicy.count": "How many events the answer holds at most, 1 to 100; default: 10.",
  count: "How many items a page has, 1 to 100; default: 10.",
  createdAfter: "Only policies that were opened at this instant or later.",
  createdBefore: "Only policies that were opened before this instant.",
  customerId: "The customer, by their identifier.",
  "webhooks.attempts.eventId": "Only tries of this event.",
  eventId: "The event, by its identifier.",
  dryRun: "Whether to answer what would happen and keep nothing; default: false.",
  externalId: "Only the policy that another system calls so, exactly.",
  firmType: "Only wholesalers, or only retailers.",
  "webhooks.attempts.from": "Only what was tried at this instant or later.",
  from: "Only rows that were recorded at this instant or later.",
  hasFormalNotice: "Only entries with a formal notice that was sent, or only those without.",
  holdId: "The hold to lift, by its identifier.",
  "idempotency-key":
    "A text of your choice for this request and its repetitions, 1 to 200 visible ASCII characters; kept 24 hours.",
  idempotencyKey:
    "The same as the header `idempotency-key`, for browsers that can't send it; 1 to 200 visible ASCII characters.",
  "if-match":
    "The strong etag that a read has answered; the command is refused where the record has changed since.",
  invitationId: "The invitation, by its identifier.",
  "billing.getInvoice.invoiceId": "The invoice or credit note, by its identifier.",
  invoiceId: "The invoice, by its identifier.",
  knownAt: "The instant as of whose knowledge to answer, not in the future; default: now.",
  order: "What the list is ordered by, and in which direction; both or neither.",
  "webhooks.attempts.outcome": "Only tries of which this came.",
  outcome: "Only what was done, or only what was refused.",
  page: "The number of the page, from 1; default: 1.",
  parentBrokerageFirmId: "Only firms that stand directly under this one.",
  paymentId: "The payment that the bank took back, by its identifier.",
  "query.policyId":
    "The policy on which the customer is meant; default: the earliest that the caller may see.",
  "customers.list.policyId":
    "Only customers of this policy; needed with `branchId`, `whenAt` and `knownAt`.",
  policyId: "The policy, by its identifier.",
  productId: "The product, by its identifier.",
  productIds: "Only policies of these products; at most 100.",
  "policies.list.queryString":
    "Words of which each begins a word of the policy's identifiers or name; at most 200 characters.",
  "firms.list.queryString":
    "Words of which each begins a word of the firm's name; at most 200 characters.",
  "users.list.queryString":
    "Words of which each begins a word of the user's name or e-mail address; at most 200 characters.",
  "customers.list.queryString":
    "Words of which each begins a word of the customer; at most 200 characters.",
  queryString:
    "Words of which each begins a word of the policy or of the customer; at most 200 characters.",
  quoteId: "The quote, by its identifier.",
  record: "What they would do it to; default: the tenant as a whole.",
  recordId: "Only rows about this record.",
  roleId: "The role, by its identifier: 2 to 40 capital letters, digits and underscores.",
  secretId: "The secret, by the first 16 hexadecimal digits of its fingerprint.",
  signInId: "The sign-in, by its identifier.",
  startedAfter: "Only policies whose cover starts at this instant or later.",
  startedBefore: "Only policies whose cover starts before this instant.",
  "customers.list.statuses": "Only customers in one of these statuses; at most 100.",
  "users.list.statuses": "Only users in one of these statuses; at most 100.",
  statuses: "Only policies in one of these statuses; at most 100.",
  "webhooks.attempts.subject":
    "Only tries of this subject: the identifier of a record, or its kind and name, such as `product:motor-fr`.",
  subject: "The user or anonymous session that is asked about; default: the caller.",
  terminationReasons: "Only policies that were stopped for one of these reasons; at most 100.",
  "webhooks.attempts.to": "Only what was tried before this instant.",
  to: "Only rows that were recorded before this instant.",
  unpaidDurationDays:
    "Only entries unpaid for at least this number of local days in the product's time zone, 0 to 1,000,000.",
  unpaidInvoiceIssuedAfter:
    "Only entries with an unpaid invoice issued then or later; a day begins in the product's time zone.",
  unpaidInvoiceIssuedBefore:
    "Only entries with an unpaid invoice issued before then; a day begins in the product's time zone.",
  userId: "The user, by their identifier.",
  version: "The version to read; default: the one that is sold now.",
  webhookId: "The webhook, by its identifier.",
  webhookSecretId: "The secret, by the first 16 hexadecimal digits of its fingerprint.",
  "get.whenAt": "The instant to show it at, past or future. Default: now.",
  "policies.calculateQuote.whenAt": "The instant to price it at, past or to come; default: now.",
  "branches.open.whenAt":
    "When the branch takes effect, unless the body says `effectiveAt`; default: now.",
  "policies.quote.whenAt": servesBranch,
  "policies.confirm.whenAt": servesBranch,
  "policies.reopen.whenAt": servesBranch,
  "policies.sign.whenAt": servesBranch,
  "policyLifecycle.revert.whenAt": takenBack,
  "policyLifecycle.withdrawStop.whenAt": takenBack,
  whenAt: "When the command takes effect; default: now, or when the branch does."
}

interface Named {
  readonly operationId: string
  readonly method: string
  readonly in: string
  readonly name: string
}

/** The name under which a parameter's meaning is written down, the narrowest first. */
export const parameterTermOf = ({ in: place, method, name, operationId }: Named) =>
  [`${operationId}.${name}`, `${method.toLowerCase()}.${name}`, `${place}.${name}`, name].find(
    (term) => term in parameterTerms
  )

/** What headers of answers mean. */
export const headerTerms: Readonly<Record<string, string>> = {
  "retry-after": "Seconds until the next request is taken.",
  "ratelimit-limit": "How many requests the window allows.",
  "ratelimit-remaining": "How many requests are left in the window.",
  "ratelimit-reset": "Seconds until the window ends.",
  "www-authenticate":
    "How long ago, in seconds (`max_age`), the person may have signed in (RFC 9470)."
}
