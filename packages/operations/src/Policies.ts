/** The sale of a policy: opened, changed, confirmed, signed; and read at any point of its life. */
import type { Branch, BranchId } from "@quittance/domain/Branch"
import type { CurrentCaller } from "@quittance/domain/Caller"
import { mergePatches } from "@quittance/domain/Change"
import { ComplianceGateNotMet } from "@quittance/domain/Compliance"
import type { Action } from "@quittance/domain/Grant"
import type { Instant } from "@quittance/domain/Instant"
import { type InvalidTransition, permit } from "@quittance/domain/Lifecycle"
import * as Page from "@quittance/domain/Page"
import type {
  DuplicateExternalId,
  InvalidEffectiveDate,
  InvalidReference,
  Policy,
  PolicyId
} from "@quittance/domain/Policy"
import * as Commands from "@quittance/domain/PolicyCommands"
import { inOrder } from "@quittance/domain/PolicyState"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { CustomersRepo } from "@quittance/persistence/CustomersRepo"
import { Ids } from "@quittance/persistence/Ids"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { type BranchRow, PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import { SignaturesRepo } from "@quittance/persistence/SignaturesRepo"
import { Context, Effect, Layer } from "effect"
import { BrokerageFees } from "./BrokerageFees.ts"
import { Command } from "./Command.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import { type DataFailure, dataChange } from "./DataChange.ts"
import { DueSteps } from "./DueSteps.ts"
import { checkPolicy, type PolicyFault, withinWindow } from "./PolicyChecks.ts"
import { type Decided, PolicyCommand, type PolicyFailure } from "./PolicyCommand.ts"
import { type CreatePolicy, type CreateFailure, PolicyCreation } from "./PolicyCreation.ts"
import { etagOf, onBranch, type OpenPolicy, stateOf } from "./PolicyLog.ts"
import {
  type AccessFailure,
  PolicyReader,
  type ReadFailure,
  type ViewRequest
} from "./PolicyReader.ts"
import { QuotesOfPolicies } from "./QuotesOfPolicies.ts"
import { requireNoDerogation, type SaleFailure, unacceptedConsents } from "./SaleGates.ts"
import { sha256 } from "./Sha256.ts"

/** On which branch a command works, and when it takes effect. */
export interface At {
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  readonly whenAt?: Instant | undefined
}

/** Who signs, and the text he agrees to. */
export interface SignPolicy {
  readonly signer: { readonly firstName: string; readonly lastName: string; readonly email: string }
  readonly consent: { readonly textId: string; readonly accepted: true }
}

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Answer<E> = Effect.Effect<Policy, E | PolicyFailure, Scoped>

export class Policies extends Context.Service<
  Policies,
  {
    create(
      input: CreatePolicy
    ): Effect.Effect<Policy, CreateFailure | IdempotencyKeyInUse | IdempotencyKeyReused, Scoped>
    get(request: ViewRequest): Effect.Effect<Policy, ReadFailure, Scoped>
    update(
      at: At,
      patch: Commands.PolicyPatch
    ): Answer<DataFailure | DuplicateExternalId | InvalidReference | PolicyFault>
    confirm(at: At): Answer<SaleFailure>
    reopen(at: At): Answer<InvalidEffectiveDate | InvalidTransition>
    sign(at: At, input: SignPolicy): Answer<SaleFailure>
    branches(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Branch>, AccessFailure, Scoped>
  }
>()("@quittance/operations/Policies") {
  static readonly layer = Layer.effect(
    Policies,
    Effect.gen(function* () {
      const brokerageFees = yield* BrokerageFees
      const commands = yield* Command
      const command = yield* PolicyCommand
      const creation = yield* PolicyCreation
      const customers = yield* CustomersRepo
      const dueSteps = yield* DueSteps
      const ids = yield* Ids
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader
      const signatures = yield* SignaturesRepo

      const show = (policy: OpenPolicy) => quotes.show(viewOf(policy))

      const create = Effect.fn("Policies.create")(function* (input: CreatePolicy) {
        return yield* commands.run({
          authorize: creation.authorize(input),
          decide: Effect.fnUntraced(function* (authorized) {
            const policy = yield* creation.open(authorized, input)
            const request = yield* CurrentRequest
            request.answer.etag = etagOf(policy.branch)
            return yield* show(policy)
          })
        })
      })

      const get = Effect.fn("Policies.get")(function* (request: ViewRequest) {
        const { branch, ...view } = yield* reader.read("policy.read", request)
        return yield* quotes.show({ ...view, branchType: branch.branchType })
      })

      const update = Effect.fn("Policies.update")(function* (
        { whenAt, ...at }: At,
        patch: Commands.PolicyPatch
      ) {
        const subject = { command: "policy.update", action: "policy.write", ...at } as const
        return yield* command.run(
          { ...subject, also: actionsFor(patch) },
          Effect.fnUntraced(function* (policy) {
            const { now, product, state } = policy
            yield* brokerageFees.check(patch.brokerageFees)
            const entries = Commands.patchEntries(patch)
            const { after, drafts } = yield* dataChange(policy, entries, whenAt)
            // A start date that was in order when it was chosen does not block another change.
            const moved = after.startedAt !== state.startedAt
            yield* checkPolicy(product, after, "DRAFT", moved ? now : undefined)
            if (patch.externalId !== undefined) {
              yield* policies.setExternalId(at.policyId, after.externalId)
            }
            return { changes: onBranch(policy, drafts), answer: show }
          })
        )
      })

      /** A step that moves the stage: what has to hold, and the change that it records. */
      const step = <E>(
        name: string,
        { whenAt, ...at }: At,
        decide: (policy: OpenPolicy) => Effect.Effect<Commands.Draft, E, CurrentTenant>
      ) =>
        command.run(
          { command: `policy.${name}`, action: "policy.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
            const draft = yield* decide(policy)
            return { changes: onBranch(policy, [draft]), answer: show }
          })
        )

      const policyholderConfirmed = Effect.fnUntraced(function* ({ state }: OpenPolicy) {
        const holders = inOrder(state.customers).filter(([, { role }]) => role === "POLICYHOLDER")
        const rows = yield* customers.findMany(holders.map(([id]) => id))
        if (rows.some(({ status }) => status === "CUSTOMER_CONFIRMED")) return
        return yield* new ComplianceGateNotMet({ gates: [{ kind: "POLICYHOLDER_CONFIRMED" }] })
      })

      const confirm = (at: At) =>
        step(
          "confirm",
          at,
          Effect.fnUntraced(function* (policy) {
            const { now, product, state } = policy
            const quote = yield* quotes.fresh(product, state, now)
            const draft = yield* Effect.fromResult(Commands.confirm(state))
            yield* checkPolicy(product, state, "CONFIRM", now)
            yield* requireNoDerogation(quote)
            yield* policyholderConfirmed(policy)
            return draft
          })
        )

      const reopen = (at: At) =>
        step("reopen", at, ({ state }) => Effect.fromResult(Commands.reopen(state)))

      const sign = Effect.fn("Policies.sign")(function* (at: At, { consent, signer }: SignPolicy) {
        const subject = { command: "policy.sign", action: "policy.write", ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const { branch, now, product, state } = policy
            const quote = yield* quotes.fresh(product, state, now)
            yield* Effect.fromResult(permit(state, "sign"))
            yield* checkPolicy(product, state, "SIGN", now)
            yield* requireNoDerogation(quote)
            const gates = unacceptedConsents(product, consent.textId)
            if (gates.length > 0) return yield* new ComplianceGateNotMet({ gates })
            const request = yield* CurrentRequest
            const text = product.consents.find(({ textId }) => textId === consent.textId)
            yield* signatures.insert({
              id: ids.next("signature"),
              policyId: at.policyId,
              branchId: branch.id,
              // A confirmed sale has a quote: the tables lead there by no other way.
              quoteId: quote!.id,
              signer,
              textId: consent.textId,
              textHash: sha256(text?.text ?? ""),
              signedAt: now,
              address: request.address,
              userAgent: request.userAgent
            })
            return yield* merge(policy)
          })
        )
      })

      /** Signing merges the branch: what it changed is recorded on the trunk, which opens now. */
      const merge = Effect.fnUntraced(function* ({ branch, changes, now, state }: OpenPolicy) {
        const signature = yield* Effect.fromResult(Commands.sign(state, now))
        const trunk = {
          ...branch,
          id: ids.next("branch"),
          branchType: "BASE",
          name: "In force",
          stage: "SIGNED",
          forkedAt: now,
          createdAt: now
        } as const
        const merged = mergePatches(changes, branch.id).map((change) => ({
          branchId: trunk.id,
          draft: { kind: "MERGE", ...change } as const
        }))
        const decided: Decided<Policy, never, CurrentTenant> = {
          branches: [trunk, { ...branch, status: "MERGED", stage: "SIGNED", mergedAt: now }],
          changes: [...merged, { branchId: trunk.id, draft: signature }],
          defaultBranchId: trunk.id,
          answer: (after) => Effect.flatMap(dueSteps.afterCommand(after), show)
        }
        return decided
      })

      const branches = Effect.fn("Policies.branches")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* reader.present("branch.read", policyId)
        const rows = yield* log.branches(policyId)
        const first = (page.page - 1) * page.count
        return Page.make(rows.slice(first, first + page.count).map(toBranch), rows.length, page)
      })

      return Policies.of({ create, get, update, confirm, reopen, sign, branches })
    })
  ).pipe(
    Layer.provide([
      BrokerageFees.layer,
      Command.layer,
      CustomersRepo.layer,
      DueSteps.layer,
      PoliciesRepo.layer,
      PolicyCommand.layer,
      PolicyCreation.layer,
      PolicyLogRepo.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer,
      SignaturesRepo.layer
    ])
  )
}

/** An open policy as of now: on the trunk what has taken effect, on a sale all of it. */
export const viewOf = ({ branch, changes, head, now, product, state }: OpenPolicy) => ({
  head,
  product,
  branchType: branch.branchType,
  whenAt: now,
  state: branch.branchType === "BASE" ? stateOf(changes, branch.id, now) : state
})

/** What naming these members needs beyond writing the policy. */
const actionsFor = (patch: Commands.PolicyPatch): ReadonlyArray<Action> => [
  ...(patch.brokerageFees === undefined ? [] : (["quote.fee"] as const)),
  ...(patch.billingAssignment === undefined ? [] : (["policy.assign"] as const))
]

const toBranch = ({
  effectiveAt,
  forkedSeq: _forkedSeq,
  mergedAt,
  seq: _seq,
  ...row
}: BranchRow): Branch => ({
  ...row,
  ...(effectiveAt === null ? {} : { effectiveAt }),
  ...(mergedAt === null ? {} : { mergedAt })
})
