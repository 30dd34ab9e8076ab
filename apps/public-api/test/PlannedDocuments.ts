/** What a dispatcher does for documents, at once: templates as a sandbox has them, and what is due. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentPlans } from "@quittance/operations/documents/DocumentPlans"
import { DocumentTemplates } from "@quittance/operations/documents/DocumentTemplates"
import { EventConsumers } from "@quittance/operations/events/EventConsumers"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import type { World } from "./Api.ts"

const folder = fileURLToPath(new URL("../../../products/templates/fr", import.meta.url))

/** Publishes the templates of France for the tenant. */
export const publishTemplates = ({ tenant }: Pick<World, "tenant">) =>
  Effect.gen(function* () {
    const templates = yield* DocumentTemplates
    yield* templates.publish(yield* templates.read(folder))
  }).pipe(
    Effect.provide(Layer.provide(DocumentTemplates.layer, NodeServices.layer)),
    Effect.provideService(CurrentTenant, tenant),
    Effect.orDie
  )

/** Places all events of the tenant, and writes down which documents follow from them. */
export const plan = ({ tenant }: Pick<World, "tenant">) =>
  Effect.gen(function* () {
    const sequencer = yield* EventSequencer
    const consumers = yield* EventConsumers
    const documents = yield* DocumentPlans
    while ((yield* sequencer.sequenceBatch).more);
    while ((yield* consumers.consumeBatch(documents)).more);
  }).pipe(
    Effect.provide(Layer.mergeAll(EventSequencer.layer, EventConsumers.layer, DocumentPlans.layer)),
    Effect.provideService(CurrentTenant, tenant)
  )
