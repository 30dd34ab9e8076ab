/** The parts of a file of evidence, in their order, and what is sealed of them. */
import {
  documentName,
  type Evidence,
  type EvidenceEntry,
  type EvidencePart,
  evidenceNames as names,
  stepName,
  sumsOf
} from "./EvidenceFile.ts"
import type { StoredStep } from "./EvidenceStep.ts"
import { explanation, scriptOf } from "./EvidenceScript.ts"
import type { SealedDocument } from "./SignatureSeal.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"

/** Where a signed document lies in the file, and which document its bytes are. */
export interface DocumentPlace {
  readonly name: string
  readonly documentId: string
  /** Of how many bytes the document was shown; absent where it is not sealed by itself. */
  readonly shown?: { readonly size: number; readonly sha256: string }
}

export type DocumentFile = DocumentPlace & { readonly bytes: Uint8Array }

export const placeOf = ({ documentId, sealed, sha256, size }: SealedDocument): DocumentPlace =>
  sealed === undefined
    ? { name: documentName(documentId, false), documentId }
    : {
        name: documentName(sealed.documentId, true),
        documentId: sealed.documentId,
        shown: { size, sha256 }
      }

/** A part whose text is kept. */
interface TextPart {
  readonly name: string
  readonly text: string
}

/** How bytes become texts. */
export interface ByteTexts {
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: (bytes: Uint8Array) => string
  readonly base64: (bytes: Uint8Array) => string
}

export const partOf = (
  { bytes, name }: Pick<DocumentFile, "bytes" | "name">,
  { hash }: Pick<ByteTexts, "hash">
): EvidencePart => ({ name, sha256: hash(bytes), size: bytes.length })

const encoder = new TextEncoder()

const textPart = ({ name, text }: TextPart, texts: ByteTexts): EvidencePart =>
  partOf({ name, bytes: encoder.encode(text) }, texts)

/** What is sealed beside the facts; the certificates in PEM. */
export interface ComposedParts {
  readonly certificates: string
  readonly steps: ReadonlyArray<StoredStep>
  readonly files: ReadonlyArray<DocumentFile>
}

/** `evidence.json` over all that it names, and the parts that are texts. */
export const composed = (
  facts: Omit<Evidence, "parts">,
  { certificates, files, steps }: ComposedParts,
  by: ByteTexts
) => {
  const sealed = files.flatMap(({ name, shown }) =>
    shown === undefined ? [] : [{ name, shown: shown.size }]
  )
  const script = scriptOf({ stamped: facts.stamped, steps: steps.length, sealed })
  const texts: ReadonlyArray<TextPart> = [
    { name: names.certificates, text: certificates },
    ...steps.map(({ content }, index) => ({ name: stepName(index + 1), text: content })),
    { name: names.explanation, text: explanation },
    { name: names.script, text: script }
  ]
  const parts = [
    ...texts.map((text) => textPart(text, by)),
    ...files.map((file) => partOf(file, by))
  ]
  const evidence: Evidence = { ...facts, parts }
  return { evidence, text: canonicalJson(evidence), texts }
}

export interface SealedParts {
  readonly evidence: string
  readonly seal: Uint8Array
  readonly stamp: Uint8Array | undefined
  readonly texts: ReadonlyArray<TextPart>
  readonly files: ReadonlyArray<DocumentFile>
  readonly parts: ReadonlyArray<EvidencePart>
}

/** What is kept of a file; the sums of its parts come last. */
export const entriesOf = (
  { evidence, files, parts, seal, stamp, texts }: SealedParts,
  by: ByteTexts
): ReadonlyArray<EvidenceEntry> => {
  const binary = (name: string, bytes: Uint8Array) => ({
    entry: { name, base64: by.base64(bytes) },
    part: partOf({ name, bytes }, by)
  })
  const head = [
    {
      entry: { name: names.evidence, text: evidence },
      part: textPart({ name: names.evidence, text: evidence }, by)
    },
    binary(names.seal, seal),
    ...(stamp === undefined ? [] : [binary(names.stamp, stamp)])
  ]
  return [
    ...head.map(({ entry }) => entry),
    ...texts,
    ...files.map(({ documentId, name }) => ({ name, documentId })),
    { name: names.sums, text: sumsOf([...head.map(({ part }) => part), ...parts]) }
  ]
}
