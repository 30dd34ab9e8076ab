// Writes docs/life-cycle.md from the tables of the life cycle:
// node --conditions=@quittance/source packages/domain/scripts/life-cycle.ts
import { writeFileSync } from "node:fs"
import { page } from "../src/policies/LifecycleDiagram.ts"

writeFileSync(new URL("../../../docs/life-cycle.md", import.meta.url), page())
