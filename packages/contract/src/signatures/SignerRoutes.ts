/** The steps of a signer. */
import {
  Ceremony,
  DeclineSignature,
  ProveSigner,
  SignSignature
} from "@quittance/domain/signatures/Ceremony"
import { SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors, saleErrors } from "../policies/CommandErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { NoMembers, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { signatureErrors } from "./SignatureErrors.ts"

export const base = "/signatures/:signatureId/signers/:signerId"
/** What every command on a signer is sent beside its body. */
export const onSigner = {
  params: { signatureId: SignatureId, signerId: SignerId },
  query: triedQuery,
  headers: writeHeaders
}
const written = { ...onSigner, success: Ceremony }
const stepErrors = [
  ...commandErrors,
  requestErrors.InvalidTransition,
  signatureErrors.NotYourTurn,
  signatureErrors.SignatureClosed,
  signatureErrors.SignatureNotFound,
  signatureErrors.SignerNotFound
] as const
const byPeople = access({ scope: "platform/signature", callers: people })

export const openCeremony = HttpApiEndpoint.post("open", `${base}/open`, {
  ...written,
  payload: NoMembers,
  error: stepErrors
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("policy.write", "RECORD"))
  .annotate(OpenApi.Summary, "Begin to sign, as a signer")
  .annotate(
    OpenApi.Description,
    "The caller is the customer's person, who was given the policy and does not work on it. Who signs for those who sell is that user, and needs `signature.countersign`."
  )

export const sendCode = HttpApiEndpoint.post("sendCode", `${base}/otp`, {
  ...written,
  payload: NoMembers,
  error: stepErrors
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("policy.write", "RECORD"))
  .annotate(OpenApi.Summary, "Send a signer a code")
  .annotate(
    OpenApi.Description,
    "Six digits to the signer's e-mail address, for 10 minutes and 5 tries. Three are sent in 15 minutes at most."
  )

export const proveSigner = HttpApiEndpoint.post("prove", `${base}/prove`, {
  ...written,
  payload: ProveSigner,
  error: [...stepErrors, signatureErrors.OtpInvalid, signatureErrors.OtpLocked]
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("policy.write", "RECORD"))
  .annotate(RequestExample, { code: "482913" })
  .annotate(OpenApi.Summary, "Prove by the code that a signer has their address")

export const signCeremony = HttpApiEndpoint.post("sign", `${base}/sign`, {
  ...written,
  payload: SignSignature,
  error: [
    ...stepErrors,
    ...saleErrors,
    policyErrors.BranchConflict,
    policyErrors.BranchRequired,
    policyErrors.ComplianceGateNotMet,
    productErrors.DerogationRequired,
    policyErrors.DuplicateExternalId,
    requestErrors.InvalidReference,
    productErrors.QuoteOutdated,
    signatureErrors.DocumentNotShown,
    signatureErrors.NameMismatch
  ]
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("policy.write", "RECORD"))
  .annotate(RequestExample, {
    name: "Camille Martin",
    consents: [{ textId: "SUBSCRIPTION_TERMS", textHash: "0".repeat(64), accepted: true }]
  })
  .annotate(OpenApi.Summary, "Sign, as a signer")
  .annotate(
    OpenApi.Description,
    "The last signer's request merges the branch in the same transaction. Where that can't be any more, no one has signed, and the signature is void."
  )

export const declineCeremony = HttpApiEndpoint.post("decline", `${base}/decline`, {
  ...written,
  payload: DeclineSignature,
  error: stepErrors
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("policy.write", "RECORD"))
  .annotate(RequestExample, { reason: "The price is another one than we spoke of" })
  .annotate(OpenApi.Summary, "Refuse to sign, which ends the signature")
