/** What every program has for those who run it. */
import { Layer } from "effect"
import * as HttpApp from "../HttpApp.ts"
import * as Server from "../Server.ts"
import * as MetricsRoutes from "./MetricsRoutes.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"

/** The management port, which shows the metrics of the process. */
export const layer = Layer.merge(
  Server.layerManagement(HttpApp.make(MetricsRoutes.management)),
  ProcessMetrics.layer
)
