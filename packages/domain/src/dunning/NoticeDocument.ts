/** The paper of a formal notice, as the evidence of its dispatch names it. */
import { Result } from "effect"
import { InvalidReference } from "../requests/RequestErrors.ts"
import type { NoticeEvidence } from "./Dunning.ts"

/**
 * Evidence with the SHA-256 of the notice's document, the latest of `hashes`. What was sent by hand is that
 * document or none: another hash is refused. Without a document that has bytes, the evidence stands as given.
 */
export const withDocument = (
  evidence: NoticeEvidence,
  hashes: ReadonlyArray<string>
): Result.Result<NoticeEvidence, InvalidReference> => {
  const { documentHash } = evidence
  const [latest] = hashes
  if (latest === undefined) return Result.succeed(evidence)
  if (documentHash !== undefined && !hashes.includes(documentHash)) {
    const field = "evidence.documentHash"
    const expected = "the SHA-256 of the notice's document, or leave it out"
    return Result.fail(new InvalidReference({ field, value: documentHash, expected }))
  }
  return Result.succeed({ ...evidence, documentHash: documentHash ?? latest })
}
