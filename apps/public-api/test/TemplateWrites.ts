/** Writes on templates of documents that succeed. */
import { motor, type World } from "./Api.ts"
import { form } from "./Forms.ts"

/** A small letter that the tenant writes itself. */
export const farewell = {
  templateId: "farewell-fr",
  version: "2026.1",
  locale: "fr-FR",
  layout: "letter",
  title: "Fin de votre contrat {{policy.number}}",
  sender: ["{{tenant.name}}"],
  draft: "Projet",
  blocks: [{ kind: "paragraph", text: "Votre contrat prend fin le {{policy.endsOn|longDate}}." }]
}

export const farewellPath = `/admin/document-templates/${farewell.templateId}`

export const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

export const logo = form({}, { name: "logo.png", bytes: onePixel, type: "image/png" })

export const templateWrites = ({ client }: World) => ({
  "documentTemplates.publish": {
    token: client,
    method: "PUT",
    path: farewellPath,
    body: farewell
  },
  "documentTemplates.preview": {
    token: client,
    method: "POST",
    path: "/admin/document-templates/contract-motor-fr/preview",
    body: { productId: motor.productId, on: "CONFIRMED" }
  },
  "documentTemplates.addFile": {
    token: client,
    method: "POST",
    path: "/admin/document-files",
    ...logo
  }
})
