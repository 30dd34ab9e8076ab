/**
 * Policies as they are answered, in the text that is sent. A text is kept with the version of the
 * policy that it was made of and the time over which it holds, so that a read is one statement and
 * nothing is decoded or encoded; where none holds it is made again and kept.
 */
import { origin } from "@quittance/domain/policies/Change"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { type Instant, max, min } from "@quittance/domain/values/Instant"
import { Policy } from "@quittance/domain/policies/Policy"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { shownBetween } from "@quittance/domain/policies/PolicyView"
import type { Product } from "@quittance/domain/products/Product"
import { endOfTime } from "@quittance/persistence/sql/Columns"
import { takesNoWrites } from "@quittance/persistence/sql/DatabaseFailure"
import { PolicyAnswersRepo } from "@quittance/persistence/policies/PolicyAnswersRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { sendWithoutWaiting } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer, Schema } from "effect"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  etagOf,
  lineageOf,
  type PolicyAggregate,
  stateOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import {
  PolicyReader,
  type PolicyView,
  type ReadFailure,
  type ViewRequest
} from "./PolicyReader.ts"
import { QuotesOfPolicies } from "./PolicyQuotes.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * What the same policy, product and instant are answered with: raised whenever a release answers
 * something else (`PolicyAnswers.test.ts` notices), and another where time zones have other rules.
 */
export const format = `1/${process.versions.tz ?? ""}`

export class PolicyAnswers extends Context.Service<
  PolicyAnswers,
  {
    /** The policy as it is asked for: the body of the answer, JSON in UTF-8. */
    read(
      request: ViewRequest
    ): Effect.Effect<
      Uint8Array<ArrayBuffer>,
      ReadFailure,
      CurrentTenant | CurrentCaller | CurrentRequest
    >
    /** What a command answers; what it recorded is kept for the reads that follow. */
    show(policy: PolicyAggregate): Effect.Effect<Policy, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyAnswers") {
  static readonly layer = Layer.effect(
    PolicyAnswers,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswersRepo
      const log = yield* PolicyLogRepo
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader
      const tenantSql = yield* TenantSql

      const make = Effect.fnUntraced(function* (request: ViewRequest) {
        const { branch, ...view } = yield* reader.read("policy.read", request)
        const policy = yield* quotes.show({ ...view, branchType: branch.branchType })
        return { view: { ...view, branch }, body: encode(policy) }
      })

      /** The states of a sale differ by its branch alone, those in force by effective time too. */
      const effectsAround = ({ branch, head, whenAt }: PolicyView) =>
        branch.branchType === "BASE"
          ? log.effectsAround(head.id, branch.id, whenAt)
          : Effect.succeed(always)

      const keep = Effect.fnUntraced(function* (view: PolicyView, body: string, revision: bigint) {
        const { branch, head, now, whenAt } = view
        const effects = yield* effectsAround(view)
        const between = spanOf(view.product, view.state, whenAt, effects)
        // Of what is far off only one answer for each change is kept, not one for each anniversary.
        if (between.from !== effects.from && !contains(between, now)) return
        const answer = {
          policyId: head.id,
          branchType: branch.branchType,
          etag: etagOf(branch),
          body
        }
        yield* tenantSql
          .transaction(answers.keep({ ...answer, ...between }, format, revision))
          .pipe(
            // The answer is there, only not for the next one who asks.
            Effect.catchDefect((defect) =>
              takesNoWrites(defect) ? Effect.void : Effect.die(defect)
            )
          )
      })

      const read = Effect.fn("PolicyAnswers.read")(function* (request: ViewRequest) {
        const { branchId, knownAt, policyId, whenAt } = request
        if (branchId !== undefined || knownAt !== undefined)
          return toUtf8((yield* make(request)).body)
        const { answer, revision } = yield* answers.find(policyId, format, whenAt)
        if (answer !== undefined) {
          if (whenAt === undefined) (yield* CurrentRequest).answer.etag = answer.etag
          return answer.body
        }
        const { body, view } = yield* make(request)
        if (whenAt === undefined || view.branch.branchType === "BASE") {
          yield* keep(view, body, revision)
        }
        return toUtf8(body)
      })

      const show = Effect.fn("PolicyAnswers.show")(function* (policy: PolicyAggregate) {
        const { branch, head, now } = policy
        const view = viewOf(policy)
        const shown = yield* quotes.show(view)
        if (branch.id === head.defaultBranchId) {
          const { branchType } = branch
          const effects = branchType === "BASE" ? around(effectsOf(policy), now) : always
          const between = spanOf(view.product, view.state, now, effects)
          const answer = {
            policyId: head.id,
            branchType,
            etag: etagOf(branch),
            body: encode(shown)
          }
          yield* sendWithoutWaiting(answers.keep({ ...answer, ...between }, format))
        }
        return shown
      })

      return PolicyAnswers.of({ read, show })
    })
  ).pipe(
    Layer.provide([
      PolicyAnswersRepo.layer,
      PolicyLogRepo.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer
    ])
  )
}

/** An open policy as of now: on the base branch what has taken effect, on a sale all of it. */
const viewOf = (policy: PolicyAggregate) => {
  const { branch, branches, changes, head, now, productOf } = policy
  const { branchType } = branch
  const state =
    branchType === "BASE" ? stateOf(changes, lineageOf(branches, branch), now) : policy.state
  return { head, product: productOf(state), branchType, whenAt: now, state }
}

/** A stretch of time, `[from, to)`. */
interface Span {
  readonly from: Instant
  readonly to: Instant
}

const always: Span = { from: origin, to: endOfTime }

const contains = ({ from, to }: Span, instant: Instant): boolean => from <= instant && instant < to

/** How long around an instant a policy is answered the same, its state holding as long as it does. */
const spanOf = (product: Product, state: PolicyState, whenAt: Instant, effects: Span): Span => {
  const { from, to } = shownBetween(product, state, whenAt)
  return { from: max(from, effects.from), to: min(to, effects.to) }
}

const effectsOf = ({ branch, changes }: PolicyAggregate) =>
  changes.flatMap(({ branchId, effectiveAt }) => (branchId === branch.id ? [effectiveAt] : []))

/** Between which of some instants another one lies. */
const around = (instants: ReadonlyArray<Instant>, instant: Instant): Span =>
  instants.reduce<Span>(
    ({ from, to }, at) => (at <= instant ? { from: max(from, at), to } : { from, to: min(to, at) }),
    always
  )

const encodePolicy = Schema.encodeSync(Schema.toCodecJson(Policy))
/** A policy as the text that is answered. */
export const encode = (policy: Policy): string => JSON.stringify(encodePolicy(policy))
const toUtf8 = (text: string) => new TextEncoder().encode(text)
