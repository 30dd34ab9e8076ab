/** Whether a definition's `when` is true of the document that it would make. */
import type { DocumentDefinition } from "@quittance/domain/products/documents/DocumentDefinition"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { documentModel } from "@quittance/documents/model/Model"
import { find } from "@quittance/documents/ModelValues"
import { Context, Effect, Layer } from "effect"
import { type DocumentSource, DocumentInputs } from "./DocumentInputs.ts"

export class DocumentConditions extends Context.Service<
  DocumentConditions,
  {
    /** The data are put together only for a definition that has a condition. */
    hold(
      definition: Pick<DocumentDefinition, "when">,
      document: DocumentSource
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/DocumentConditions") {
  static readonly layer = Layer.effect(
    DocumentConditions,
    Effect.gen(function* () {
      const inputs = yield* DocumentInputs

      const hold = Effect.fn("DocumentConditions.hold")(function* (
        { when }: Pick<DocumentDefinition, "when">,
        document: DocumentSource
      ) {
        if (when === undefined) return true
        const model = documentModel(yield* inputs.of(document))
        const found = find({ model, names: new Map() }, when.path)?.value
        const value = isField(found) ? found.value : found
        return when.in.some((one) => one === value)
      })

      return DocumentConditions.of({ hold })
    })
  ).pipe(Layer.provide(DocumentInputs.layer))
}

/** A field stands for its value. */
const isField = (value: unknown): value is { readonly value: unknown } =>
  typeof value === "object" && value !== null && "key" in value && "value" in value
