/** The templates of a tenant over HTTP: published, read, and looked at. */
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { isOfTemplate, type TemplateDefinition } from "@quittance/documents/model/ModelExample"
import * as TemplateFaults from "@quittance/documents/templates/TemplateFaults"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import {
  InvalidTemplate,
  type PreviewTemplate,
  type PublishedTemplate,
  type TemplateDocument,
  type TemplateInUse,
  TemplateNotFound
} from "@quittance/domain/documents/TemplateVersions"
import { type Product, ProductNotFound } from "@quittance/domain/products/Product"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { make, type Page, type PageRequest } from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { ProductVersionsRepo } from "@quittance/persistence/products/ProductVersionsRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { tenantPermission } from "../access/TenantPermission.ts"
import { Contents } from "../contents/Contents.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { DocumentTemplates } from "./DocumentTemplates.ts"
import { ExampleDocuments, examplePrice } from "./ExampleDocuments.ts"
import { TenantTemplates } from "./TenantTemplates.ts"

/** A template is JSON. */
const encode = (template: DocumentTemplate) =>
  Schema.encodeSync(DocumentTemplate)(template) as unknown as TemplateDocument

type Asked = CurrentTenant | CurrentCaller

export class TemplateVersions extends Context.Service<
  TemplateVersions,
  {
    /** Publishes a version. The same text again answers what it did then. */
    publish(
      templateId: string,
      document: TemplateDocument
    ): Effect.Effect<
      PublishedTemplate,
      Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidTemplate | TemplateInUse,
      Asked | CurrentRequest
    >
    /** A version; the newest unless it is said. What the tenant has published comes before the release's. */
    get(
      templateId: string,
      version: string | undefined
    ): Effect.Effect<TemplateDocument, Forbidden | TemplateNotFound, Asked>
    /** The tenant's, the newest first; then those of the release. */
    list(
      templateId: string,
      page: PageRequest
    ): Effect.Effect<Page<PublishedTemplate>, Forbidden | TemplateNotFound, Asked>
    /** A PDF of a product's examples, marked as one. */
    preview(
      templateId: string,
      request: PreviewTemplate
    ): Effect.Effect<
      Uint8Array,
      Forbidden | InvalidTemplate | ProductNotFound | TemplateNotFound,
      Asked
    >
  }
>()("@quittance/operations/TemplateVersions") {
  static readonly layer = Layer.effect(
    TemplateVersions,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const contents = yield* Contents
      const examples = yield* ExampleDocuments
      const grants = yield* GrantsRepo
      const products = yield* ProductVersionsRepo
      const { layouts } = yield* DocumentRenderer
      const published = yield* DocumentTemplates
      const repo = yield* DocumentTemplatesRepo
      const templates = yield* TenantTemplates
      const permit = tenantPermission(grants)

      const versionsOf = Effect.fnUntraced(function* (templateId: string) {
        const own = yield* repo.versions(templateId)
        const shipped = yield* templates.shipped
        const all: ReadonlyArray<PublishedTemplate> = [
          ...own.map((row) => ({ templateId, ...row, origin: "TENANT" as const })),
          ...shipped
            .filter((one) => one.templateId === templateId)
            .filter(({ version }) => !own.some((row) => row.version === version))
            .map(({ version }) => ({ templateId, version, origin: "RELEASE" as const }))
            .toReversed()
        ]
        return all.length === 0 ? yield* new TemplateNotFound({ templateId }) : all
      })

      const read = Effect.fnUntraced(function* (templateId: string, version: string | undefined) {
        const [newest] = yield* versionsOf(templateId)
        const found = yield* templates.find(templateId, version ?? newest!.version)
        return found ?? (yield* new TemplateNotFound({ templateId }))
      })

      /** What a template names beside itself: a layout of the service, and files of the tenant. */
      const namedFaults = Effect.fnUntraced(function* ({ blocks, layout }: DocumentTemplate) {
        const images = yield* Effect.filter(TemplateFaults.imagePlaces(blocks), ({ sha256 }) =>
          Effect.map(contents.find(sha256), (found) => found === undefined)
        )
        return [
          ...(layouts.includes(layout) ? [] : [unknownLayout(layouts)]),
          ...images.map(({ pointer }) => missingImage(pointer))
        ]
      })

      const publish = Effect.fn("TemplateVersions.publish")(function* (
        templateId: string,
        document: TemplateDocument
      ) {
        const decide = Effect.fnUntraced(function* () {
          const template = yield* Effect.fromResult(TemplateFaults.read(document))
          const issues = [
            ...(template.templateId === templateId ? [] : [otherId(templateId)]),
            ...(yield* namedFaults(template))
          ]
          if (issues.length > 0) return yield* new InvalidTemplate({ issues })
          const { version } = template
          const isThere = (rows: ReadonlyArray<{ readonly version: string }>) =>
            rows.some((row) => row.version === version)
          const before = yield* repo.versions(templateId)
          yield* published.publish([template])
          const { publishedAt } = (yield* repo.versions(templateId)).find(
            (row) => row.version === version
          )!
          if (!isThere(before)) {
            const recordId = `${templateId}@${version}`
            yield* audit.record({ action: "template.publish", recordId, after: template })
          }
          const answer: PublishedTemplate = { templateId, version, origin: "TENANT", publishedAt }
          return answer
        })
        return yield* command.run({ authorize: permit("template.write"), decide })
      })

      const get = Effect.fn("TemplateVersions.get")(function* (
        templateId: string,
        version: string | undefined
      ) {
        const found = yield* read(templateId, version)
        yield* permit("template.read")
        return encode(found)
      })

      const list = Effect.fn("TemplateVersions.list")(function* (
        templateId: string,
        page: PageRequest
      ) {
        const all = yield* versionsOf(templateId)
        yield* permit("template.read")
        const start = (page.page - 1) * page.count
        return make(all.slice(start, start + page.count), all.length, page)
      })

      const preview = Effect.fn("TemplateVersions.preview")(function* (
        templateId: string,
        request: PreviewTemplate
      ) {
        const { productId } = request
        const template = yield* read(templateId, request.version)
        yield* permit("template.read")
        const product = yield* products.find(productId, undefined)
        if (product === undefined) return yield* new ProductNotFound({ productId })
        const definition = definitionFor(template, product.definition, request)
        return yield* examples
          .make(product.definition, definition, template, examplePrice(product.definition))
          .pipe(
            Effect.catchTag("RenderingFailed", ({ message }) =>
              Effect.fail(new InvalidTemplate({ issues: [{ pointer: "", message }] }))
            )
          )
      })

      return TemplateVersions.of({ publish, get, list, preview })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      Contents.layer,
      DocumentTemplates.layer,
      DocumentTemplatesRepo.layer,
      ExampleDocuments.layer,
      GrantsRepo.layer,
      ProductVersionsRepo.layer,
      TenantTemplates.layer
    ])
  )
}

/** The product's document of the template, else of the trigger; made of this version, for this trigger. */
const definitionFor = (
  { templateId, version }: DocumentTemplate,
  { documents = [] }: Product,
  { branchType, on }: PreviewTemplate
): TemplateDefinition => {
  const fitting = documents
    .filter((definition) => definition.on.includes(on))
    .filter(
      ({ branches }) =>
        branchType === undefined || branches === undefined || branches.includes(branchType)
    )
  const found =
    fitting.filter(isOfTemplate).find(({ source }) => source.template === templateId) ?? fitting[0]
  return {
    id: found?.id ?? "PREVIEW",
    kind: found?.kind ?? "OTHER",
    title: found?.title ?? templateId,
    visibility: "CUSTOMER",
    on: [on],
    source: { template: templateId, version }
  }
}

const otherId = (templateId: string) => ({
  pointer: "/templateId",
  message: `Name ${templateId}, as the path does.`
})

const unknownLayout = (layouts: ReadonlyArray<string>) => ({
  pointer: "/layout",
  message: `Choose one of ${layouts.join(", ")}.`
})

const missingImage = (pointer: string) => ({
  pointer,
  message: "Add the file first: `POST /admin/document-files` answers its SHA-256."
})
