/** Links that take the one file of a request, without a sign-in. */
import { Schema } from "effect"
import { DocumentRequestId } from "./DocumentRequest.ts"

/** For how long a link takes a file, by the tenant's clock: thirty days. */
export const uploadLinkSeconds = 2_592_000

/** Where the pages of these links are, below the address of the service; a token follows. */
export const uploadPath = "/uploads"

/** What the secret of a link is derived from: a rejected file ends it, and the next letter has another one. */
export const uploadLinkOf = (id: DocumentRequestId, refusals: number): string => `${id}.${refusals}`

export const uploadTokenOf = (tenant: string, id: DocumentRequestId, secret: string): string =>
  `${tenant}.${id}.${secret}`

const isRequestId = Schema.is(DocumentRequestId)

/** The parts of a token; `undefined` for what no link of ours looks like. */
export const uploadTokenParts = (token: string) => {
  const [tenant = "", id, secret = "", ...rest] = token.split(".")
  return isRequestId(id) && rest.length === 0 ? { tenant, id, secret } : undefined
}

/** Whatever a link lacks, its answer is the same: it is none of ours, is used, has ended, or its request is closed. */
export class UploadLinkNotFound extends Schema.TaggedError<UploadLinkNotFound>()(
  "UploadLinkNotFound",
  {}
) {
  override get message() {
    return "The link takes no file. Check the address, or ask the sender for another link."
  }
}
