/** Links by which signers come to their ceremony, without a sign-in: one of a signer at most, until it ends. */
import { Schema } from "effect"
import { SignerId } from "../values/Ids.ts"

/** What a link is derived from: each further link of a signer is another one. */
export const signerLinkOf = (id: SignerId, number: number): string => `${id}.${number}`

/** The token of a link: its tenant and signer, and what proves that the service has made it. */
export const signerTokenOf = (tenant: string, id: SignerId, secret: string): string =>
  `${tenant}.${id}.${secret}`

const isSignerId = Schema.is(SignerId)

/** The parts of a token; `undefined` for what no link of a signer looks like. */
export const signerTokenParts = (token: string) => {
  const [tenant = "", signerId, secret = "", ...rest] = token.split(".")
  return isSignerId(signerId) && rest.length === 0 ? { tenant, signerId, secret } : undefined
}

/** No link of ours, or one whose place another link has taken. */
export class SignerLinkNotFound extends Schema.TaggedError<SignerLinkNotFound>()(
  "SignerLinkNotFound",
  {}
) {
  override get message() {
    return "There is no such link. Open the link of the newest letter, or ask the sender for another."
  }
}
