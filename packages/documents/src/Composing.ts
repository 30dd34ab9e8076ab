/** Puts a template and a model together into the words of a document. */
import type { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { RenderingFailure } from "@quittance/domain/documents/RenderingFailure"
import { Result } from "effect"
import { blocksOf, rowsOf } from "./ComposedBlocks.ts"
import type { ComposedDocument } from "./ComposedDocument.ts"
import { RenderingFailed } from "./DocumentRenderer.ts"
import type { Scope } from "./ModelValues.ts"
import { textWriter, type WritingFaults } from "./TextWriter.ts"

/**
 * A function of the two alone: the same words wherever it runs. It fails where a text has characters that
 * our fonts lack, or where the template shows what the model does not have.
 */
export const compose = (
  template: DocumentTemplate,
  model: DocumentModel
): Result.Result<ComposedDocument, RenderingFailed> => {
  const { blocks, facts = [], footer = "", layout, locale, recipient = [], sender } = template
  const { currency, timeZone } = model.product
  const writer = textWriter({ locale, currency, timeZone, labels: template.labels ?? {} })
  const scope: Scope = { model, names: new Map() }
  const lines = (texts: ReadonlyArray<string>) =>
    texts.map((text) => writer.line(text, scope)).filter((runs) => runs.length > 0)
  const [language = "", region = ""] = locale.split("-")
  const composed: ComposedDocument = {
    layout,
    language,
    region,
    title: writer
      .line(template.title, scope)
      .map(({ text }) => text)
      .join(""),
    date: utc(model.document.at),
    sender: lines(sender),
    recipient: lines(recipient),
    facts: rowsOf(facts, scope, writer),
    footer: writer.line(footer, scope),
    mark: writer
      .line(model.document.draft || model.document.example ? template.draft : "", scope)
      .map(({ text }) => text)
      .join(""),
    blocks: blocksOf(blocks, scope, writer)
  }
  const failure = failureOf(writer.faults)
  return failure === undefined ? Result.succeed(composed) : Result.fail(failure)
}

/** Year, month, day, hour, minute and second in UTC. */
const utc = (instant: string): ReadonlyArray<number> =>
  instant.slice(0, 19).split(/[-T:]/u).map(Number)

const failureOf = ({ markup, missing, unprintable }: WritingFaults) => {
  const failed = (
    reason: RenderingFailure,
    paths: Iterable<string>,
    diagnostics: Iterable<string>
  ) => new RenderingFailed({ reason, paths: [...paths], diagnostics: [...diagnostics] })
  if (markup.size > 0) return failed("LAYOUT", [], markup)
  if (missing.size > 0) return failed("MISSING_VALUE", missing, [])
  return unprintable.size > 0 ? failed("UNPRINTABLE_TEXT", unprintable, []) : undefined
}
