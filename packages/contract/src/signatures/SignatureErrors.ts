/** The errors of the area signatures on the wire. The last argument of each shows its details. */
import * as Signature from "@quittance/domain/signatures/Signature"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const signatureErrors = {
  SignatureNotFound: wireError(
    Signature.SignatureNotFound,
    404,
    "SIGNATURE_NOT_FOUND",
    "The tenant has no such signature.",
    { signatureId: id("signature") }
  )
} as const
