/** Sends signers their letters: each by one sender at a time, written from its signer. */
import { writeSignerCode } from "@quittance/domain/mail/SignerCodeLetter"
import { writeSignerRequest } from "@quittance/domain/mail/SignerRequestLetter"
import { jobName } from "@quittance/domain/requests/Actor"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Signature } from "@quittance/domain/signatures/Signature"
import { isRequested, type RequestedSigner } from "@quittance/domain/signatures/Signer"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import type { SignerId } from "@quittance/domain/values/Ids"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type ClaimedSignerLetter,
  type DueSignerLetter,
  SignerLettersRepo,
  type SignerQueue
} from "@quittance/persistence/ceremonies/SignerLettersRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { EvidenceLog } from "./EvidenceLog.ts"
import { SignerCodes } from "./SignerCodes.ts"
import { SignerLinks, signPath } from "./SignerLinks.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

export class SignerLetters extends Context.Service<
  SignerLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. One that can't be sent is tried ten
     * times. Its signer asks for another code then, and those who work on the policy for another letter.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/SignerLetters") {
  static readonly layer = Layer.effect(
    SignerLetters,
    Effect.gen(function* () {
      const codes = yield* SignerCodes
      const evidence = yield* EvidenceLog
      const issuers = yield* Issuers
      const mailer = yield* Mailer
      const letters = yield* SignerLettersRepo
      const links = yield* SignerLinks
      const policies = yield* PoliciesRepo
      const signatures = yield* SignatureRequestsRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedSignerLetter,
        failure: MailNotSent
      ) {
        const isLast = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(isLast ? letters.remove(letter) : letters.fail(letter))
        yield* Effect.logWarning("A letter of a signer was not sent", failure)
      })

      /**
       * What the letter says, and what names it: the same letter again takes the place of the first. `undefined` once
       * its link has ended: another letter brings the one after it, maybe to another address.
       */
      const written = Effect.fnUntraced(function* (
        { kind, number }: ClaimedSignerLetter,
        { signature, signer, tenant }: Addressed
      ) {
        const { firstName, id, remindedAt = [] } = signer
        if (kind === null) {
          const code = Redacted.value(yield* codes.code({ signature, signerId: id, number }))
          return { name: String(number), text: writeSignerCode({ tenant, firstName, code }) }
        }
        const token = yield* links.tokenOf(id, number)
        if (token === undefined) return undefined
        const [policy] = yield* policies.findMany([signature.policyId])
        const text = writeSignerRequest({
          kind,
          tenant,
          firstName,
          // A signature has its policy, which is never deleted, and a requested one ends.
          policyNumber: policy!.incrementalId,
          link: `${issuers.audience}${signPath}/${Redacted.value(token)}`,
          expiresAt: signature.expiresAt!
        })
        return { name: `${kind}-${number}-${remindedAt.length}`, text }
      })

      /** A letter that asks to sign is a step of the signature once it has left, unless another was asked for. */
      const sent = Effect.fnUntraced(function* (
        letter: ClaimedSignerLetter,
        { signature, signer }: Addressed
      ) {
        const { kind } = letter
        if (kind === null) return void (yield* letters.remove(letter))
        const { now } = yield* policies.hold(signature.policyId)
        if (!(yield* letters.remove(letter))) return
        const facts = [{ kind, signerId: signer.id }] as const
        const action = kind === "NOTIFIED" ? "signature.notify" : "signature.remind"
        const actor = { kind: "JOB", id: jobName, requestId: jobName } as const
        yield* evidence.addBy(
          signature,
          { action, facts, now },
          { actor, address: "", userAgent: "" }
        )
      }, tenantSql.transaction)

      const drop = (letter: ClaimedSignerLetter) => tenantSql.transaction(letters.remove(letter))

      const send = Effect.fn("SignerLetters.send")(function* (queue: SignerQueue, id: SignerId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(letters.claim(queue, id))
        if (letter === undefined) return
        const signature = yield* signatures.find(letter.signatureId)
        const signer = signature.signers.filter(isRequested).find((one) => one.id === id)
        // A code of a signature that has ended is worth nothing, and who has signed needs no letter.
        if (signer === undefined || !isWaitedFor(signature, signer)) {
          return void (yield* drop(letter))
        }
        const addressed = { tenant, signature, signer }
        const content = yield* written(letter, addressed)
        if (content === undefined) return void (yield* drop(letter))
        const { name, text } = content
        const { hostname } = new URL(issuers.of(tenant.id))
        const message = {
          ...text,
          id: `${tenant.id}.${id}.${name}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          to: signer.email
        }
        yield* mailer.send(message).pipe(
          Effect.andThen(sent(letter, addressed)),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      })

      const one =
        (queue: SignerQueue) =>
        ({ signerId, tenantId }: DueSignerLetter) =>
          runFor(tenantId, send(queue, signerId), {
            message: "A letter could not be sent and is tried again",
            answer: undefined
          }).pipe(Effect.annotateLogs({ signer: signerId }))

      const roundOf = Effect.fnUntraced(function* (queue: SignerQueue) {
        const due = yield* letters.due(queue, lettersOfRound)
        yield* Effect.forEach(due, one(queue), { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      })

      const round = Effect.zipWith(
        roundOf("signer_letter"),
        roundOf("signer_request_letter"),
        (codes, requests) => codes || requests
      ).pipe(Effect.withSpan("SignerLetters.round"))

      return SignerLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      EvidenceLog.layer,
      PoliciesRepo.layer,
      SignatureRequestsRepo.layer,
      SignerCodes.layer,
      SignerLettersRepo.layer,
      SignerLinks.layer,
      TenantDirectory.layer
    ])
  )
}

/** Who a letter is for. */
interface Addressed {
  readonly tenant: Tenant
  readonly signature: Signature
  readonly signer: RequestedSigner
}

const isWaitedFor = (signature: Signature, { status }: RequestedSigner): boolean =>
  signature.status === "OPEN" && status !== "SIGNED" && status !== "DECLINED"
