import * as NodeServices from "@effect/platform-node/NodeServices"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { FileForm, maximumFile } from "@quittance/domain/documents/DocumentFile"
import * as MultipartForm from "@quittance/http/MultipartForm"
import { DocumentFiles } from "@quittance/operations/documents/DocumentFiles"
import { TemplateVersions } from "@quittance/operations/documents/TemplateVersions"
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { previewAnswer } from "./http/ContentAnswer.ts"

export const DocumentTemplatesHandlers = HttpApiBuilder.group(
  PublicApi,
  "documentTemplates",
  Effect.fn(function* (handlers) {
    const files = yield* DocumentFiles
    const versions = yield* TemplateVersions

    return handlers.handleAll({
      publish: ({ params, payload }) => versions.publish(params.templateId, payload),
      get: ({ params, query }) => versions.get(params.templateId, query.version),
      versions: ({ params, query }) => versions.list(params.templateId, pageRequest(query)),
      preview: ({ params: { templateId }, payload }) =>
        Effect.map(versions.preview(templateId, payload), (bytes) =>
          previewAnswer(templateId, bytes)
        ),
      addFile: ({ payload }) => files.add(MultipartForm.receive(payload, FileForm, maximumFile))
    })
  })
).pipe(
  Layer.provide([DocumentFiles.layer, TemplateVersions.layer]),
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)
