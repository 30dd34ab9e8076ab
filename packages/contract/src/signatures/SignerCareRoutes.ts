/** What people who work on a policy do for its signers. */
import { Signature } from "@quittance/domain/signatures/Signature"
import {
  CorrectSigner,
  RemindSigners,
  SignerLink
} from "@quittance/domain/signatures/SignatureRequests"
import { SignatureId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors } from "../policies/CommandErrors.ts"
import { NoMembers, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { signatureErrors } from "./SignatureErrors.ts"
import { base, onSigner } from "./SignerRoutes.ts"

const careErrors = [
  ...commandErrors,
  requestErrors.InvalidReference,
  requestErrors.InvalidTransition,
  signatureErrors.NotYourTurn,
  signatureErrors.SignatureClosed,
  signatureErrors.SignatureNotFound,
  signatureErrors.SignerNotFound
] as const
const byPeople = access({ scope: "platform/signature", callers: people })

export const correctSigner = HttpApiEndpoint.patch("correctSigner", base, {
  ...onSigner,
  payload: CorrectSigner,
  success: Signature,
  error: [...careErrors, signatureErrors.CorrectionRefused]
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("signature.write", "RECORD"))
  .annotate(RequestExample, { email: "camille.martin@example.org" })
  .annotate(OpenApi.Summary, "Correct the address or the telephone of a signer")
  .annotate(
    OpenApi.Description,
    "A customer who has not begun, five times at most. With another address their link ends, and a letter with another one leaves for it. What was corrected is a step."
  )

export const remindSigners = HttpApiEndpoint.post("remind", "/signatures/:signatureId/remind", {
  params: { signatureId: SignatureId },
  query: triedQuery,
  headers: writeHeaders,
  payload: RemindSigners,
  success: Signature,
  error: [...careErrors, signatureErrors.RemindedLately]
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("signature.write", "RECORD"))
  .annotate(RequestExample, {})
  .annotate(OpenApi.Summary, "Remind signers by another letter")
  .annotate(
    OpenApi.Description,
    "The same link, to each signer whose turn it is. A signer gets one letter an hour at most."
  )

export const linkSigner = HttpApiEndpoint.post("linkSigner", `${base}/links`, {
  ...onSigner,
  payload: NoMembers,
  success: SignerLink.pipe(HttpApiSchema.status(201)),
  error: careErrors
})
  .annotateMerge(byPeople)
  .annotateMerge(idempotent)
  .annotateMerge(needs("signature.write", "RECORD"))
  .annotate(OpenApi.Summary, "Make the link of a signer, for a program to give to them")
  .annotate(
    OpenApi.Description,
    "With `delivery` `LINK` or `EMBEDDED`, of signers who are sent a code. It leads to a page of the service where they sign without a sign-in; the link before ends. A dry run answers the address without its secret."
  )
