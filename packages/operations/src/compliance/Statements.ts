/** What customers say that they need, recorded for the cover as it is, and the deviations that they confirm. */
import { statementOf } from "@quittance/domain/compliance/NewStatement"
import {
  DeviationNotPossible,
  type Statement,
  type StatementId,
  type StatementIncomplete,
  StatementNotFound,
  type StoredStatement
} from "@quittance/domain/compliance/Statement"
import { statedData } from "@quittance/domain/compliance/StatementFreshness"
import type {
  ConfirmDeviation,
  RecordStatement
} from "@quittance/domain/compliance/StatementRequests"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { PolicyId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { StatementsRepo } from "@quittance/persistence/compliance/StatementsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import type { CommandTarget } from "../policies/Policies.ts"
import type { PolicyFailure } from "../policies/PolicyCommand.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest

/** A statement of a policy, by its identifier. */
export interface StatementOf {
  readonly policyId: PolicyId
  readonly statementId: StatementId
}

export class Statements extends Context.Service<
  Statements,
  {
    /**
     * Records answers for the cover that the branch has now. Advice of their own is for those who may give
     * it; without one the rules of the product advise.
     */
    record(
      at: Omit<CommandTarget, "whenAt">,
      input: RecordStatement
    ): Effect.Effect<Statement, InvalidReference | PolicyFailure | StatementIncomplete, Scoped>
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Statement>, Forbidden | PolicyNotFound | UserNotFound, Asked>
    /** The customer wants the cover although a rule finds that it does not fit. */
    confirmDeviation(
      at: StatementOf,
      input: ConfirmDeviation
    ): Effect.Effect<
      Statement,
      DeviationNotPossible | InvalidReference | PolicyFailure | StatementNotFound,
      Scoped
    >
  }
>()("@quittance/operations/Statements") {
  static readonly layer = Layer.effect(
    Statements,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const ids = yield* Ids
      const log = yield* PolicyLog
      const policies = yield* PoliciesRepo
      const repo = yield* StatementsRepo

      const record = Effect.fn("Statements.record")(function* (
        { branchId, policyId }: Omit<CommandTarget, "whenAt">,
        input: RecordStatement
      ) {
        const mayAdvise =
          input.advice === undefined
            ? Effect.void
            : policies.authorize("compliance.advise", policyId)
        return yield* command.run({
          authorize: Effect.andThen(
            mayAdvise,
            policies.authorize("compliance.write", policyId, { lock: true })
          ),
          decide: Effect.fnUntraced(function* (authorized) {
            const policy = yield* log.open(authorized, branchId)
            const { branch, head, now, product, state } = policy
            const { needs } = product
            if (needs === undefined) {
              const expected = "a policy of a product with `needs`"
              return yield* new InvalidReference({ field: "policyId", value: policyId, expected })
            }
            const made = yield* Effect.fromResult(statementOf({ ...product, needs }, state, input))
            const { id: author } = yield* requestActor
            const statement: StoredStatement = {
              id: ids.next("statement"),
              policyId,
              branchId: branch.id,
              ...made,
              author,
              createdAt: now,
              digest: digestOf(policy, made.answers),
              changeSeq: head.changeSeq
            }
            yield* repo.insert(statement)
            yield* audit.record({
              action: "statement.record",
              recordId: statement.id,
              after: statement,
              detail: { policyId, digest: statement.digest },
              businessAt: now
            })
            return shown(statement)
          })
        })
      })

      const list = Effect.fn("Statements.list")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("compliance.read", policyId)
        const { rows, total } = yield* repo.list(policyId, page)
        return Page.make(rows.map(shown), total, page)
      })

      const confirmDeviation = Effect.fn("Statements.confirmDeviation")(
        ({ policyId, statementId }: StatementOf, { ruleId }: ConfirmDeviation) =>
          command.run({
            authorize: policies.authorize("compliance.write", policyId, { lock: true }),
            decide: Effect.fnUntraced(function* ({ now }) {
              const before = yield* repo.find(policyId, statementId)
              if (before === undefined) return yield* new StatementNotFound({ statementId })
              const deviation = before.deviations.find((each) => each.ruleId === ruleId)
              if (deviation === undefined) {
                return yield* new InvalidReference({ field: "ruleId", value: ruleId })
              }
              if (deviation.otherwise === "REFUSE")
                return yield* new DeviationNotPossible({ ruleId })
              if (deviation.confirmedAt !== undefined) return shown(before)
              const { id: confirmedBy } = yield* requestActor
              const confirmed = { confirmedBy, confirmedAt: now }
              yield* repo.confirm({ statementId, ruleId, ...confirmed })
              const after: StoredStatement = {
                ...before,
                deviations: before.deviations.map((each) =>
                  each === deviation ? { ...each, ...confirmed } : each
                )
              }
              yield* audit.record({
                action: "statement.confirmDeviation",
                recordId: statementId,
                before,
                after,
                detail: { policyId, ruleId },
                businessAt: now
              })
              return shown(after)
            })
          })
      )

      return Statements.of({ record, list, confirmDeviation })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      PoliciesRepo.layer,
      PolicyLog.layer,
      StatementsRepo.layer
    ])
  )
}

const shown = ({ changeSeq: _changeSeq, ...statement }: StoredStatement): Statement => statement

/** What the answers were given for, as one hash: the policy's data, its cover, and the questions. */
const digestOf = (
  { product, state }: Pick<PolicyAggregate, "product" | "state">,
  answers: Statement["answers"]
): string =>
  sha256(
    canonicalJson({
      answers,
      data: [...statedData(state)],
      productId: product.productId,
      version: product.version
    })
  )
