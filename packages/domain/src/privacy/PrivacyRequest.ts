/** What people ask about their data: a request with its life, its due day and the proof of who asks. */
import { Result, Schema } from "effect"
import { InvalidTransition } from "../requests/RequestErrors.ts"
import { CustomerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { addDays, addMonths } from "../values/LocalDate.ts"
import { Page } from "../values/Page.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { localDate, startOfDay, type TimeZone } from "../values/TimeZone.ts"

export const PrivacyRequestId = PrefixedId.schema("privacy_request")
export type PrivacyRequestId = typeof PrivacyRequestId.Type

/** The rights of articles 15 to 21 of the GDPR. */
export const PrivacyRequestKind = Schema.Literals([
  "ACCESS",
  "PORTABILITY",
  "RECTIFICATION",
  "ERASURE",
  "RESTRICTION",
  "OBJECTION"
])
export type PrivacyRequestKind = typeof PrivacyRequestKind.Type

export const PrivacyRequestStatus = Schema.Literals([
  "RECEIVED",
  "IDENTIFIED",
  "IN_PROGRESS",
  "DONE",
  "PARTLY_DONE",
  "REFUSED",
  "WITHDRAWN"
])
export type PrivacyRequestStatus = typeof PrivacyRequestStatus.Type

/** How it ended well: with all that was asked for, or a part. */
export const PrivacyOutcome = Schema.Literals(["DONE", "PARTLY_DONE"])

export const PrivacyRequest = Schema.Struct({
  id: PrivacyRequestId,
  kind: PrivacyRequestKind,
  /** Whose data it is about: a person may be several customers. */
  customerIds: Schema.NonEmptyArray(CustomerId),
  status: PrivacyRequestStatus,
  receivedAt: Instant,
  /** The end of the last day for an answer: GDPR art. 12(3). */
  dueAt: Instant,
  extension: Schema.optionalKey(Schema.Struct({ reason: Schema.String, at: Instant })),
  identity: Schema.optionalKey(
    Schema.Struct({ how: Schema.String, by: Schema.String, at: Instant })
  ),
  decision: Schema.optionalKey(
    Schema.Struct({ text: Schema.String, by: Schema.String, at: Instant })
  ),
  closedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "PrivacyRequest" })
export type PrivacyRequest = typeof PrivacyRequest.Type

export const PrivacyRequestPage = Page(PrivacyRequest).annotate({
  identifier: "PrivacyRequestPage"
})

export class PrivacyRequestNotFound extends Schema.TaggedError<PrivacyRequestNotFound>()(
  "PrivacyRequestNotFound",
  { privacyRequestId: PrivacyRequestId }
) {
  override get message() {
    return `There is no privacy request ${this.privacyRequestId}; GET /privacy/requests lists those of the tenant.`
  }
}

/** Nothing about a person is told or done before it is clear that they ask. */
export class IdentityNotProven extends Schema.TaggedError<IdentityNotProven>()(
  "IdentityNotProven",
  { privacyRequestId: PrivacyRequestId }
) {
  override get message() {
    return `Privacy request ${this.privacyRequestId} has no proof of who asks; record it by POST /privacy/requests/${this.privacyRequestId}/identify first.`
  }
}

type Open = ReadonlyArray<PrivacyRequestStatus>
const open: Open = ["RECEIVED", "IDENTIFIED", "IN_PROGRESS"]

/** What can be done to a request, one table: code and refusals read it. */
const edges = {
  identify: { from: ["RECEIVED"] },
  extend: { from: open },
  start: { from: ["IDENTIFIED"] },
  export: { from: ["IN_PROGRESS"] },
  erase: { from: ["IN_PROGRESS"] },
  complete: { from: ["IN_PROGRESS"] },
  refuse: { from: open },
  withdraw: { from: open }
} as const satisfies Record<string, { readonly from: Open }>
export type PrivacyCommand = keyof typeof edges

// Object.keys forgets the literal types of a constant record.
const commands = Object.keys(edges) as ReadonlyArray<PrivacyCommand>

/**
 * Whether a step is possible now: the time for an answer is extended once, and before it ends. Data are
 * exported for those who ask for them.
 */
const isPossible = (
  command: PrivacyCommand,
  { dueAt, extension, kind, status }: PrivacyRequest,
  now: Instant
): boolean => {
  const { from }: { readonly from: Open } = edges[command]
  if (!from.includes(status)) return false
  if (command === "erase") return kind === "ERASURE"
  if (command === "export") return kind === "ACCESS" || kind === "PORTABILITY"
  return command !== "extend" || (extension === undefined && now < dueAt)
}

type Step = Result.Result<PrivacyRequest, InvalidTransition>

const stepOf = (
  request: PrivacyRequest,
  { command, now }: { readonly command: PrivacyCommand; readonly now: Instant },
  change: Partial<PrivacyRequest>
): Step =>
  isPossible(command, request, now)
    ? Result.succeed({ ...request, ...change })
    : Result.fail(
        new InvalidTransition({
          status: request.status,
          command,
          allowed: commands.filter((one) => isPossible(one, request, now))
        })
      )

/** Months for an answer, and how many more an extension gives: GDPR art. 12(3). */
const monthsToAnswer = 1
const monthsMore = 2

/** The end of the last local day, counted from the day of receipt: 31 January leads to the end of February. */
export const dueAt = (receivedAt: Instant, zone: TimeZone, isExtended = false): Instant => {
  const months = monthsToAnswer + (isExtended ? monthsMore : 0)
  return startOfDay(addDays(addMonths(localDate(receivedAt, zone), months), 1), zone)
}

/** Who takes a step, and when. */
export interface Acting {
  readonly by: string
  readonly now: Instant
}

export const identified = (request: PrivacyRequest, how: string, { by, now }: Acting): Step =>
  stepOf(
    request,
    { command: "identify", now },
    { status: "IDENTIFIED", identity: { how, by, at: now } }
  )

export const extended = (
  request: PrivacyRequest,
  reason: string,
  now: Instant,
  zone: TimeZone
): Step =>
  stepOf(
    request,
    { command: "extend", now },
    { extension: { reason, at: now }, dueAt: dueAt(request.receivedAt, zone, true) }
  )

type ProvenStep = Result.Result<PrivacyRequest, IdentityNotProven | InvalidTransition>

const onceProven = (request: PrivacyRequest, step: Step): ProvenStep =>
  request.status === "RECEIVED"
    ? Result.fail(new IdentityNotProven({ privacyRequestId: request.id }))
    : step

export const started = (request: PrivacyRequest, now: Instant): ProvenStep =>
  onceProven(request, stepOf(request, { command: "start", now }, { status: "IN_PROGRESS" }))

/** The request as it is, where the data of the person may leave. */
export const exportable = (request: PrivacyRequest, now: Instant): ProvenStep =>
  onceProven(request, stepOf(request, { command: "export", now }, {}))

/** The request as it is, where the data of the person may be erased. */
export const carriedOut = (request: PrivacyRequest, now: Instant): ProvenStep =>
  onceProven(request, stepOf(request, { command: "erase", now }, {}))

export const completed = (
  request: PrivacyRequest,
  { outcome, text }: { readonly outcome: typeof PrivacyOutcome.Type; readonly text: string },
  { by, now }: Acting
): Step =>
  stepOf(
    request,
    { command: "complete", now },
    { status: outcome, decision: { text, by, at: now }, closedAt: now }
  )

export const refused = (request: PrivacyRequest, text: string, { by, now }: Acting): Step =>
  stepOf(
    request,
    { command: "refuse", now },
    { status: "REFUSED", decision: { text, by, at: now }, closedAt: now }
  )

export const withdrawn = (request: PrivacyRequest, now: Instant): Step =>
  stepOf(request, { command: "withdraw", now }, { status: "WITHDRAWN", closedAt: now })
