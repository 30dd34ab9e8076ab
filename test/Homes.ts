/** Where the packages and apps of the repository are. */
import * as path from "node:path"
import { glob } from "./Sources.ts"

/** Every package and app, as `packages/domain`. */
export const homes = glob("{packages,apps}/*/package.json").map((file) => path.posix.dirname(file))
export const apps = homes.filter((home) => home.startsWith("apps/"))
export const packages = homes.filter((home) => home.startsWith("packages/"))

/** Packages that are for tests of the others, and never published. */
export const privatePackages = new Set(["testing"])

/** `domain` of `packages/domain`. */
export const name = (home: string): string => path.posix.basename(home)
