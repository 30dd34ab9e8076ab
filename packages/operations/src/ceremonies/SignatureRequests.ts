/** Signatures that are requested of their signers: made on a confirmed branch, and withdrawn. */
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { inOrder } from "@quittance/domain/policies/PolicyState"
import type { SignatureTerms } from "@quittance/domain/products/sale/SignatureTerms"
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Signature, SignatureNotFound } from "@quittance/domain/signatures/Signature"
import {
  type SignatureClosed,
  SignatureNotRequested,
  SignatureOpen,
  type SignedDocumentsPending,
  type SignerIncomplete
} from "@quittance/domain/signatures/SignatureErrors"
import type {
  CancelSignature,
  RequestSignature
} from "@quittance/domain/signatures/SignatureRequests"
import { nextInTurn, signatureAfter } from "@quittance/domain/signatures/SignatureLifecycle"
import { signersOf } from "@quittance/domain/signatures/Signers"
import { expiryOf, signedDocuments } from "@quittance/domain/signatures/SignedContent"
import type { SignatureId } from "@quittance/domain/values/Ids"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { Context, Effect, Layer } from "effect"
import { BranchMerging } from "../lifecycle/BranchMerging.ts"
import type { CommandTarget } from "../policies/Policies.ts"
import type { PolicyFailure } from "../policies/PolicyCommand.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import type { SaleFailure } from "../quotes/SaleGates.ts"
import { requestActor } from "../requests/Actor.ts"
import { Command } from "../requests/Command.ts"
import { EvidenceLog } from "./EvidenceLog.ts"
import { SignerTurns } from "./SignerTurns.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

/** Why a signature can't be requested. */
export type RequestFailure =
  | InvalidReference
  | PolicyFailure
  | SaleFailure
  | SignatureNotRequested
  | SignatureOpen
  | SignedDocumentsPending
  | SignerIncomplete

export class SignatureRequests extends Context.Service<
  SignatureRequests,
  {
    /** Asks the signers of the product to sign a branch as it is now. */
    request(
      at: CommandTarget,
      input: RequestSignature
    ): Effect.Effect<Signature, RequestFailure, Scoped>
    /** Withdraws a signature that is open; no one can sign it any more. */
    cancel(
      id: SignatureId,
      input: CancelSignature
    ): Effect.Effect<Signature, PolicyFailure | SignatureClosed | SignatureNotFound, Scoped>
  }
>()("@quittance/operations/SignatureRequests") {
  static readonly layer = Layer.effect(
    SignatureRequests,
    Effect.gen(function* () {
      const command = yield* Command
      const customers = yield* CustomersRepo
      const due = yield* DueItemsRepo
      const evidence = yield* EvidenceLog
      const ids = yield* Ids
      const log = yield* PolicyLog
      const merging = yield* BranchMerging
      const policies = yield* PoliciesRepo
      const repo = yield* SignatureRequestsRepo
      const turns = yield* SignerTurns
      const users = yield* UsersRepo

      const documentsOf = Effect.fnUntraced(function* ({ branch, head, product }: PolicyAggregate) {
        const signed = signedDocuments(product, branch.branchType)
        return yield* Effect.fromResult(
          signed.frozen(
            yield* repo.documents(
              head.id,
              branch.id,
              signed.definitions.map(({ id }) => id)
            )
          )
        )
      })

      /** Who signs for those who sell: who is named, else the user who asks. */
      const countersignerOf = Effect.fnUntraced(function* (
        { countersigner }: SignatureTerms,
        { signers = [] }: RequestSignature
      ) {
        if (countersigner === undefined) return
        const caller = yield* CurrentCaller
        const own = caller._tag === "User" ? caller.userId : undefined
        const userId = signers.find((signer) => signer.userId !== undefined)?.userId ?? own
        return userId === undefined ? undefined : yield* users.find(userId)
      })

      const newSigners = Effect.fnUntraced(function* (
        { now, state }: PolicyAggregate,
        terms: SignatureTerms,
        input: RequestSignature
      ) {
        const onPolicy = inOrder(state.customers).map(([id, { role }]) => ({ id, role }))
        const records = yield* customers.findMany(
          onPolicy.map(({ id }) => id),
          { _tag: "Tenant" }
        )
        const countersigner = yield* countersignerOf(terms, input)
        const { signers: named = [] } = input
        const facts = { terms, customers: onPolicy, records, countersigner, named }
        const waiting = (yield* Effect.fromResult(signersOf(facts))).map((signer) => ({
          ...signer,
          id: ids.next("signer"),
          status: "WAITING" as const
        }))
        const first = new Set(nextInTurn(waiting).map(({ id }) => id))
        return waiting.map((signer) =>
          first.has(signer.id)
            ? { ...signer, status: "NOTIFIED" as const, notifiedAt: now }
            : signer
        )
      })

      const request = Effect.fn("SignatureRequests.request")(
        ({ branchId, policyId }: CommandTarget, input: RequestSignature) =>
          command.run({
            authorize: policies.authorize("signature.write", policyId, { lock: true }),
            decide: Effect.fnUntraced(function* (authorized) {
              const policy = yield* log.open(authorized, branchId)
              const { branch, now, product } = policy
              const { signature: terms } = product
              if (terms?.method !== "REQUEST") return yield* new SignatureNotRequested({})
              const open = yield* repo.open(policyId)
              const other = open.find((signature) => signature.branchId === branch.id)
              if (other !== undefined) return yield* new SignatureOpen({ signatureId: other.id })
              const texts = product.consents.filter(({ requiredFor }) => requiredFor === "SIGN")
              const signedTextIds = new Set(texts.map(({ textId }) => textId))
              const quotes = yield* merging.requireReady(policy, "sign", {
                step: "SIGN",
                signedTextIds
              })
              const documents = yield* documentsOf(policy)
              const signers = yield* newSigners(policy, terms, input)
              const accepted = quotes.map((quote) => ({
                quoteId: quote.id,
                stateDigest: quote.pricedHash
              }))
              const own = quotes.filter((quote) => quote.branchId === branch.id)
              const ends = own.map((quote) => quote.expiresAt)
              const signature = {
                id: ids.next("signature"),
                policyId,
                branchId: branch.id,
                status: "OPEN" as const,
                method: "REQUEST" as const,
                level: terms.level,
                // A confirmed branch has a quote.
                ...accepted[0]!,
                documents,
                signers,
                consents: [],
                ...(input.message === undefined ? {} : { message: input.message }),
                createdAt: now,
                expiresAt: expiryOf({ terms, asked: input.expiresIn, ends, now, product }),
                author: (yield* requestActor).id
              }
              const { expiresAt } = signature
              yield* repo.insert({ signature, branchSeq: branch.seq, quotes: accepted, signers })
              yield* due.schedule([
                { kind: "expireSignatures", recordId: signature.id, dueAt: expiresAt }
              ])
              const told = signers.filter((signer) => signer.status === "NOTIFIED")
              yield* turns.begin(told, { product, expiresAt, now })
              const names = signers.map(({ email, firstName, id, lastName }) => ({
                signerId: id,
                firstName,
                lastName,
                email
              }))
              const bound = { policyId, branchId: branch.id, quotes: accepted, documents }
              yield* evidence.add(signature, {
                action: "signature.request",
                facts: [{ kind: "REQUESTED", ...bound, signers: names }],
                now
              })
              return signature satisfies Signature
            })
          })
      )

      const cancel = Effect.fn("SignatureRequests.cancel")(
        (id: SignatureId, { reason }: CancelSignature) =>
          command.run({
            authorize: Effect.flatMap(repo.place(id), ({ policyId }) =>
              policies.authorize("signature.write", policyId, { lock: true })
            ),
            decide: Effect.fnUntraced(function* ({ now }) {
              const signature = yield* repo.find(id)
              yield* Effect.fromResult(signatureAfter(signature.status, "cancel")).pipe(
                // The table has the command in the one status that is not closed.
                Effect.catchTag("InvalidTransition", Effect.die)
              )
              yield* repo.end({ id, status: "CANCELLED", at: now, reason })
              const facts = [{ kind: "CANCELLED", reason } as const]
              yield* evidence.add(signature, { action: "signature.cancel", facts, now })
              return yield* repo.find(id)
            })
          })
      )

      return SignatureRequests.of({ request, cancel })
    })
  ).pipe(
    Layer.provide([
      BranchMerging.layer,
      Command.layer,
      CustomersRepo.layer,
      DueItemsRepo.layer,
      EvidenceLog.layer,
      PoliciesRepo.layer,
      PolicyLog.layer,
      SignatureRequestsRepo.layer,
      SignerTurns.layer,
      UsersRepo.layer
    ])
  )
}
