/** `quittance documents preview`: what a template looks like, by a product's own examples. */
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import { broken } from "../product/ProductCheck.ts"
import { load } from "../product/ProductFile.ts"
import * as ExampleDocuments from "./ExampleDocuments.ts"

const templatesFlag = Flag.String("templates").pipe(
  Flag.withDescription(
    "Where the templates are; the folder templates beside the product unless said"
  ),
  Flag.optional
)

export const preview = Command.make(
  "preview",
  {
    file: Argument.String("product").pipe(
      Argument.withDescription("The product whose examples are shown: products/motor-fr.json")
    ),
    template: Flag.String("template").pipe(
      Flag.withDescription(
        "One template, such as contract-motor-fr; all of the product unless said"
      ),
      Flag.optional
    ),
    templates: templatesFlag,
    out: Flag.String("out").pipe(
      Flag.withDescription("The folder that the PDF files go to"),
      Flag.withDefault("previews")
    )
  },
  Effect.fn(function* ({ file, out, template, templates }) {
    const { name, product } = yield* load(file)
    if (Result.isFailure(product)) {
      return yield* Effect.fail(problem(broken(name, product.failure.faults)))
    }
    const beside = yield* ExampleDocuments.besideFile(file)
    yield* ExampleDocuments.leave({
      product: product.success,
      templates: Option.getOrElse(templates, () => beside),
      folder: out,
      ...(Option.isSome(template) ? { templateId: template.value } : {})
    }).pipe(Effect.provide(Renderer.layer), asProblems)
  })
).pipe(Command.withDescription("Make the documents of a product's examples, each marked as one"))
