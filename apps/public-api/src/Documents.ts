import * as NodeServices from "@effect/platform-node/NodeServices"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { UploadForm } from "@quittance/domain/documents/DocumentRequests"
import { maximumUpload } from "@quittance/domain/documents/Upload"
import * as MultipartForm from "@quittance/http/MultipartForm"
import { Deliveries } from "@quittance/operations/documents/Deliveries"
import { DocumentCommands } from "@quittance/operations/documents/DocumentCommands"
import { DocumentsOnDemand } from "@quittance/operations/documents/DocumentsOnDemand"
import { DocumentLinks } from "@quittance/operations/documents/links/DocumentLinks"
import { Documents } from "@quittance/operations/documents/Documents"
import { Uploads } from "@quittance/operations/documents/Uploads"
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Layer, Struct } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contentAnswer } from "./http/ContentAnswer.ts"

const pages = ["count", "page"] as const

export const DocumentsHandlers = HttpApiBuilder.group(
  PublicApi,
  "documents",
  Effect.fn(function* (handlers) {
    const commands = yield* DocumentCommands
    const deliveries = yield* Deliveries
    const onDemand = yield* DocumentsOnDemand
    const documents = yield* Documents
    const links = yield* DocumentLinks
    const uploads = yield* Uploads

    return handlers.handleAll({
      list: ({ query }) => documents.list(Struct.omit(query, pages), pageRequest(query)),
      listByPolicy: ({ params, query }) =>
        documents.listByPolicy(params.policyId, Struct.omit(query, pages), pageRequest(query)),
      upload: ({ params, payload }) =>
        uploads.add(params.policyId, MultipartForm.receive(payload, UploadForm, maximumUpload)),
      get: ({ params }) => documents.get(params.documentId),
      content: ({ params }) => Effect.flatMap(documents.content(params.documentId), contentAnswer),
      request: ({ params, payload }) => onDemand.request(params.policyId, payload),
      data: ({ params }) => commands.data(params.documentId),
      retry: ({ params }) => commands.retry(params.documentId),
      void: ({ params, payload }) => commands.void(params.documentId, payload),
      listDeliveries: ({ params, query }) => deliveries.list(params.documentId, pageRequest(query)),
      listUnsentLetters: ({ params, query }) =>
        deliveries.unsent(params.documentId, pageRequest(query)),
      recordDelivery: ({ params, payload }) => deliveries.record(params.documentId, payload),
      listLinks: ({ params, query }) => links.list(params.documentId, pageRequest(query)),
      makeLink: ({ params, payload }) => links.make(params.documentId, payload),
      revokeLink: ({ params }) => links.revoke(params.documentLinkId),
      acknowledge: ({ params }) => deliveries.acknowledge(params.documentId)
    })
  })
).pipe(
  Layer.provide([
    Deliveries.layer,
    DocumentCommands.layer,
    DocumentLinks.layer,
    Documents.layer,
    DocumentsOnDemand.layer,
    Uploads.layer
  ]),
  // Processes that render, and a folder or a bucket of contents, are this area's alone.
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)
