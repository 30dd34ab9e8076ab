/** A tenant keeps those who never bought for a year, sees who would go, and lets the job do it. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  yield* manager.get("/admin/retention")
  yield* manager.put("/admin/retention", {
    isAutomatic: false,
    rules: [
      {
        class: "PROSPECT",
        active: { amount: 1, unit: "YEAR" },
        archive: { amount: 0, unit: "DAY" },
        source: "Our own policy: a year is enough"
      }
    ]
  })
  yield* manager.get("/admin/retention/preview?count=10")
})
