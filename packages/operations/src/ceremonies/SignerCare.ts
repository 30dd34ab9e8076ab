/** What people do for the signers of an open signature: correct their address, remind them, hand out their links. */
import { InvalidReference, type InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { corrected, maskedPhone } from "@quittance/domain/signatures/Corrections"
import { nextReminder } from "@quittance/domain/signatures/Reminders"
import type { Signature, SignatureNotFound } from "@quittance/domain/signatures/Signature"
import {
  type CorrectionRefused,
  type NotYourTurn,
  RemindedLately,
  SignatureClosed,
  SignerNotFound
} from "@quittance/domain/signatures/SignatureErrors"
import { signerAfter, type SignerCommand } from "@quittance/domain/signatures/SignatureLifecycle"
import type {
  CorrectSigner,
  RemindSigners,
  SignerLink
} from "@quittance/domain/signatures/SignatureRequests"
import { isRequested, needsCode, type RequestedSigner } from "@quittance/domain/signatures/Signer"
import type { SignatureId, SignerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { SignerLinksRepo } from "@quittance/persistence/ceremonies/SignerLinksRepo"
import { SignerStepsRepo } from "@quittance/persistence/ceremonies/SignerStepsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Context, Effect, Layer } from "effect"
import type { PolicyFailure } from "../policies/PolicyCommand.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { Issuers } from "../tokens/Issuers.ts"
import type { SignerPath } from "./CeremonyAccess.ts"
import { EvidenceLog } from "./EvidenceLog.ts"
import { SignerLinks, signPath } from "./SignerLinks.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export type CareFailure =
  | InvalidReference
  | InvalidTransition
  | NotYourTurn
  | PolicyFailure
  | SignatureClosed
  | SignatureNotFound
  | SignerNotFound

export class SignerCare extends Context.Service<
  SignerCare,
  {
    /**
     * Corrects how a customer is reached before they begin. With another address their link ends, and another one is
     * sent to it.
     */
    correct(
      path: SignerPath,
      input: CorrectSigner
    ): Effect.Effect<Signature, CareFailure | CorrectionRefused, Scoped>
    /** Sends signers whose turn it is another letter, once an hour at most. */
    remind(
      id: SignatureId,
      input: RemindSigners
    ): Effect.Effect<Signature, CareFailure | RemindedLately, Scoped>
    /** Makes a link that a program gives to a customer; the one before ends. A dry run leaves its token out. */
    link(path: SignerPath): Effect.Effect<SignerLink, CareFailure, Scoped>
  }
>()("@quittance/operations/SignerCare") {
  static readonly layer = Layer.effect(
    SignerCare,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const evidence = yield* EvidenceLog
      const issuers = yield* Issuers
      const links = yield* SignerLinks
      const policies = yield* PoliciesRepo
      const reminders = yield* SignerLinksRepo
      const repo = yield* SignatureRequestsRepo
      const steps = yield* SignerStepsRepo

      const lock = (id: SignatureId) =>
        Effect.flatMap(repo.place(id), ({ policyId }) =>
          policies.authorize("signature.write", policyId, { lock: true })
        )

      /** A signature that waits for its signers; the worker that ends it may be late. */
      const opened = Effect.fnUntraced(function* (id: SignatureId, now: string) {
        const signature = yield* repo.find(id)
        const { expiresAt, status } = signature
        if (status !== "OPEN") return yield* new SignatureClosed({ status })
        if (expiresAt! <= now) return yield* new SignatureClosed({ status: "EXPIRED" })
        return { signature, expiresAt: expiresAt! }
      })

      /** A customer of the signature to whom this may be done now. Users are who they are. */
      const customerOf = Effect.fnUntraced(function* (
        { signers }: Signature,
        signerId: SignerId,
        { doing, takes, expected }: Doing
      ) {
        const signer = signers.filter(isRequested).find(({ id }) => id === signerId)
        if (signer === undefined) return yield* new SignerNotFound({ signerId })
        if (signer.customerId === undefined || !takes(signer)) {
          return yield* new InvalidReference({ field: "signerId", value: signerId, expected })
        }
        yield* Effect.fromResult(
          signerAfter({ status: signer.status, needsCode: needsCode(signer) }, doing)
        )
        return signer
      })

      /** The link that the address before has ends; who gets letters is told once more. */
      const readdress = Effect.fnUntraced(function* (
        { delivery, id, status }: RequestedSigner,
        now: Instant
      ) {
        if (status === "WAITING") return
        yield* links.make(id)
        if (delivery !== "EMAIL") return
        yield* links.send(id, "NOTIFIED")
        yield* steps.step({ id, status, at: now })
      })

      const correct = Effect.fn("SignerCare.correct")((path: SignerPath, input: CorrectSigner) => {
        const { signatureId, signerId } = path
        return command.run({
          authorize: lock(signatureId),
          decide: Effect.fnUntraced(function* ({ now }) {
            const { signature } = yield* opened(signatureId, now)
            const before = yield* customerOf(signature, signerId, correcting)
            const times = yield* steps.corrections(path)
            const { isReaddressed } = yield* Effect.fromResult(corrected(before, input, times))
            yield* steps.correct(signerId, input)
            if (isReaddressed) yield* readdress(before, now)
            const after = yield* repo.find(signatureId)
            const { email, firstName, lastName } = after.signers.find(({ id }) => id === signerId)!
            const signer = { firstName, lastName, email }
            const phone = input.phone === undefined ? {} : { phone: maskedPhone(input.phone) }
            yield* evidence.add(signature, {
              action: "signature.correct",
              facts: [{ kind: "CORRECTED", signerId, signer, ...phone }],
              now
            })
            return after
          })
        })
      })

      /** Those who are to be reminded: who is named, else all who may be. */
      const toRemind = Effect.fnUntraced(function* (
        signature: Signature,
        { signerId }: RemindSigners
      ) {
        if (signerId !== undefined) return [yield* customerOf(signature, signerId, reminding)]
        const all = yield* Effect.forEach(signature.signers.filter(isRequested), ({ id }) =>
          Effect.option(customerOf(signature, id, reminding))
        )
        const found = all.flatMap((one) => (one._tag === "Some" ? [one.value] : []))
        if (found.length > 0) return found
        const { expected } = reminding
        return yield* new InvalidReference({ field: "signerId", value: "", expected })
      })

      const remind = Effect.fn("SignerCare.remind")((id: SignatureId, input: RemindSigners) =>
        command.run({
          authorize: lock(id),
          decide: Effect.fnUntraced(function* ({ now }) {
            const { signature } = yield* opened(id, now)
            const signers = yield* toRemind(signature, input)
            const late = signers.flatMap((signer) => nextReminder(signer, now) ?? [])
            if (late.length === signers.length) {
              return yield* new RemindedLately({ nextAt: late.sort()[0]! })
            }
            const due = signers.filter((signer) => nextReminder(signer, now) === undefined)
            for (const { id: signerId } of due) {
              const { remindAt, remindedAt } = yield* reminders.reminders(signerId)
              yield* reminders.setReminders(signerId, {
                remindAt,
                remindedAt: [...remindedAt, now]
              })
              yield* links.send(signerId, "REMINDED")
            }
            const after = yield* repo.find(id)
            yield* audit.record({
              action: "signature.askAgain",
              recordId: id,
              after,
              detail: { policyId: signature.policyId, signers: String(due.length) }
            })
            return after
          })
        })
      )

      const link = Effect.fn("SignerCare.link")(function* ({ signatureId, signerId }: SignerPath) {
        const { expiresAt, number } = yield* command.run({
          authorize: lock(signatureId),
          decide: Effect.fnUntraced(function* ({ now }) {
            const { expiresAt, signature } = yield* opened(signatureId, now)
            yield* customerOf(signature, signerId, linking)
            const number = yield* links.make(signerId)
            yield* evidence.add(signature, {
              action: "signature.link",
              facts: [{ kind: "LINKED", signerId }],
              now
            })
            return { expiresAt, number }
          })
        })
        // Links are derived, so a dry run would tell the one that the next call makes.
        const { dryRun } = yield* CurrentRequest
        const token = dryRun ? "" : yield* links.tokenAt(signerId, number)
        return { signerId, url: `${issuers.audience}${signPath}/${token}`, expiresAt }
      })

      return SignerCare.of({ correct, remind, link })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      EvidenceLog.layer,
      PoliciesRepo.layer,
      SignatureRequestsRepo.layer,
      SignerLinks.layer,
      SignerLinksRepo.layer,
      SignerStepsRepo.layer
    ])
  )
}

/** What is done for a signer, and for whom it may be. */
interface Doing {
  readonly doing: SignerCommand
  readonly takes: (signer: RequestedSigner) => boolean
  readonly expected: string
}

const correcting: Doing = {
  doing: "correct",
  takes: () => true,
  expected: "a customer who signs; who signs for those who sell is a user, by their record"
}

const reminding: Doing = {
  doing: "remind",
  takes: ({ delivery }) => delivery === "EMAIL",
  expected: "a customer whose turn it is, and who is sent letters"
}

const linking: Doing = {
  doing: "link",
  takes: (signer) => signer.delivery !== "EMAIL" && needsCode(signer),
  expected:
    "a customer whose link a program hands out, and who is sent a code; letters bring the others theirs, or their program signs in for them"
}
