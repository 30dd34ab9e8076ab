/** A signature as one of its signers sees it. */
import type { Product } from "../products/Product.ts"
import type { SignerId } from "../values/Ids.ts"
import type { Ceremony } from "./Ceremony.ts"
import type { Hash } from "./EvidenceStep.ts"
import type { Signature } from "./Signature.ts"

/** The texts that customers accept by signing. */
export const textsOf = ({ consents }: Pick<Product, "consents">, hash: Hash) =>
  consents
    .filter(({ requiredFor }) => requiredFor === "SIGN")
    .map(({ text, textId }) => ({ textId, text, textHash: hash(text) }))

/** The others who sign, and their addresses, are not told. */
export const ceremonyOf = (
  { documents = [], expiresAt, id, message, policyId, signers, status }: Signature,
  signerId: SignerId,
  texts: Ceremony["texts"]
): Ceremony => {
  // A ceremony is one of a signer of a requested signature.
  const signer = signers.find((one) => one.id === signerId)!
  return {
    signatureId: id,
    policyId,
    status,
    signer,
    documents,
    texts: signer.customerId === undefined ? [] : texts,
    ...(message === undefined ? {} : { message }),
    expiresAt: expiresAt!
  }
}
