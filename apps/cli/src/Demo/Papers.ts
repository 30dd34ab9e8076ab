/** The end of the demo: the papers of the policy, made now and left in a folder. */
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Document } from "@quittance/domain/documents/Document"
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import { Effect, FileSystem, Path } from "effect"
import { createHash } from "node:crypto"
import { asProblems } from "../Problem.ts"
import type { DemoClient } from "./DemoClient.ts"
import { Narrator } from "./Narrator.ts"
import type { Sale } from "./Sale.ts"

/** What is kept of all that the policy has. */
const kept: ReadonlySet<Document["kind"]> = new Set(["CONTRACT", "INVOICE", "FORMAL_NOTICE"])

/** The contract is that in force: the one that was signed is the same, marked as an offer. */
const isLeft = ({ inForceAt, kind }: Document): boolean =>
  kept.has(kind) && (kind !== "CONTRACT" || inForceAt !== undefined)

/** They are written down a moment after what they follow from. */
const patience = { times: 60, pause: "500 millis" } as const

/** What has a paper of its own. */
interface Told {
  readonly invoices: ReadonlyArray<Invoice>
  readonly notices: ReadonlyArray<FormalNotice>
}

/** Whether the contract is among the documents, and the paper of each invoice and of each notice. */
const isComplete = (documents: ReadonlyArray<Document>, { invoices, notices }: Told): boolean =>
  documents.some(({ kind }) => kind === "CONTRACT") &&
  invoices.every(({ id }) => documents.some(({ invoiceId }) => invoiceId === id)) &&
  notices.every(({ id }) => documents.some(({ formalNoticeId }) => formalNoticeId === id))

/** The documents of the policy, the oldest first, once all are there. */
const due = Effect.fnUntraced(function* (visitor: DemoClient, { policyId }: Sale, told: Told) {
  for (let time = 0; ; time++) {
    const { data } = yield* visitor.documents.listByPolicy({
      params: { policyId },
      query: { count: 100 }
    })
    const left = data.filter(isLeft).toReversed()
    if (isComplete(left, told) || time === patience.times) return left
    yield* Effect.sleep(patience.pause)
  }
})

/** Reads each of them, which makes it, and says where they are. */
export const leave = Effect.fnUntraced(function* (visitor: DemoClient, sale: Sale, told: Told) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const narrator = yield* Narrator
  yield* narrator.chapter("What they got on paper")
  const documents = yield* due(visitor, sale, told)
  const count = (of: Document["kind"]) => documents.filter(({ kind }) => kind === of).length
  yield* narrator.check(
    "there is a contract, and a paper for each invoice and each formal notice",
    { CONTRACT: 1, INVOICE: told.invoices.length, FORMAL_NOTICE: told.notices.length },
    {
      CONTRACT: count("CONTRACT"),
      INVOICE: count("INVOICE"),
      FORMAL_NOTICE: count("FORMAL_NOTICE")
    }
  )
  const folder = yield* fs.makeTempDirectory({ prefix: "quittance-demo-" })
  const hashes: Array<string | undefined> = []
  for (const [index, { id, kind }] of documents.entries()) {
    const bytes = yield* visitor.documents.content({ params: { documentId: id } })
    const name = kind.toLowerCase().replaceAll("_", "-")
    yield* fs.writeFile(
      path.join(folder, `${String(index + 1).padStart(2, "0")}-${name}.pdf`),
      bytes
    )
    hashes.push(createHash("sha256").update(bytes).digest("hex"))
  }
  const made = yield* Effect.forEach(documents, ({ id }) =>
    visitor.documents.get({ params: { documentId: id } })
  )
  yield* narrator.check(
    "each file has the SHA-256 that the service says",
    made.map(({ sha256 }) => sha256),
    hashes
  )
  yield* narrator.fact("folder", folder)
  yield* narrator.tell(
    `pnpm documents verify ${path.join(folder, "*.pdf")} makes each of them again.`
  )
}, asProblems)
