import { Effect } from "effect"
import { call, motor } from "../Api.ts"
import { type AreaFixtures, dryRun, type Fixtures } from "../MatrixFixture.ts"
import { farewell, logo } from "../TemplateWrites.ts"

/** A template that this tenant alone has. */
export const recordsOf: AreaFixtures["recordsOf"] = Effect.fnUntraced(function* ({
  client: token,
  tenant
}) {
  const templateId = `letter-of-${tenant}`
  const body = { ...farewell, templateId }
  const path = `/admin/document-templates/${templateId}`
  yield* call(path, { tenant, token, method: "PUT", body })
  return { templateId, ownTemplateId: farewell.templateId }
})

export const fixtures: Fixtures = {
  "documentTemplates.publish": { ...dryRun, body: farewell, record: "ownTemplateId" },
  "documentTemplates.preview": { body: { productId: motor.productId, on: "CONFIRMED" } },
  "documentTemplates.addFile": logo
}

export const missing = {
  templateId: "no-such-template",
  // Publishing makes what its path names, and its body names it too.
  ownTemplateId: farewell.templateId
}
