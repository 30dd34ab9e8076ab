/** What documents are made of: a template of the tenant's own, and a file that it shows. */
import { Effect } from "effect"
import { motor, type World } from "../../Api.ts"
import { farewell, farewellPath, logo } from "../../TemplateWrites.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  yield* manager.post("/admin/document-files", logo.body, logo.headers["content-type"])
  yield* manager.put(farewellPath, farewell)
  yield* manager.get(farewellPath)
  yield* manager.get(`${farewellPath}/versions`)
  const request = { productId: motor.productId, on: "STOPPED" }
  yield* manager.post(`${farewellPath}/preview`, request)
})
