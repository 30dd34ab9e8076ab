/** The stories of the reference: each file in `stories/` is found by its place, and told in that order. */
import type { Effect } from "effect"
import { readdirSync } from "node:fs"
import type { World } from "../Api.ts"
import type { Sold } from "./Sale.ts"
import type { Stage } from "./Stage.ts"

/** Calls routes of one area as people would; `sold` is the policy that was sold first. */
export type Story = (world: World, sold: Sold) => Effect.Effect<void, never, Stage>

const names = readdirSync(new URL("stories", import.meta.url)).map((file) => file.slice(0, -3))

export const stories: ReadonlyArray<Story> = await Promise.all(
  names.sort().map(async (name) => {
    const { story }: { readonly story: Story } = await import(`./stories/${name}.ts`)
    return story
  })
)
