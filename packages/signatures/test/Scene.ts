/** A sandbox with its authority, the seal of a tenant, and a stamp; and a document as our typesetter writes it. */
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { DateTime } from "effect"

export const utc = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)

const validity = { from: utc("2026-01-01T00:00:00Z"), until: utc("2046-01-01T00:00:00Z") }

export const authority = SandboxAuthority.createAuthority("Sandbox CA", validity)
export const seal = SandboxAuthority.issueSeal(authority, "Assureur de test", validity)
export const signer = SandboxAuthority.signerOf(authority, seal)
export const stamping = SandboxAuthority.issueTimestamping(authority, "Sandbox TSA", validity)
export const stamper = SandboxAuthority.signerOf(authority, stamping)
export const timestamps = SandboxTimestampAuthority.layer(stamper)
export const revocations = SandboxAuthority.revocationList(authority, validity)

/** What proves the certificates of the sandbox later. */
export const material = {
  certificates: [authority, seal, stamping].map(({ certificate }) => certificate.raw),
  revocationLists: [revocations],
  statusResponses: []
}

/** When the files of tests are sealed. */
export const at = utc("2026-11-24T02:30:00Z")

const typesetter = NodeCompiler.create({ workspace: "/" })

/** A file of PDF/A-3a with so many paragraphs. */
export const document = (paragraphs = 3): Buffer => {
  const text = `#set document(title: "Contrat", date: datetime(year: 2026, month: 11, day: 24))
#set text(lang: "fr")
= Contrat d'assurance
${"Le souscripteur et l'assureur conviennent de ce qui suit.\n\n".repeat(paragraphs)}`
  return typesetter.pdf(
    { mainFileContent: text },
    { pdfStandard: "a-3a", creationTimestamp: 1_795_000_000 }
  )
}
