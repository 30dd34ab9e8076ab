import { Event, EventId } from "@quittance/domain/events/Event"
import { FeedPage, PolicyEventPage } from "@quittance/domain/events/EventPage"
import { ReadFeed, ReadPolicyEvents } from "@quittance/domain/events/EventRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs, people } from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { reference } from "../requests/AreaReference.ts"
import { eventErrors } from "./EventErrors.ts"
import { eventParameters, eventTerms } from "./EventTerms.ts"

export class Events extends bearer(
  HttpApiGroup.make("events")
    .add(
      HttpApiEndpoint.get("feed", "/events", {
        query: ReadFeed.fields,
        success: FeedPage,
        error: eventErrors.UnknownEventType
      })
        .annotateMerge(needs("event.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read the feed of events")
        .annotate(
          OpenApi.Description,
          "What has happened in the tenant, each subject's events in their order. Go on with `next` as `after`. With `wait` an answer without events is held back until some come; at most eight requests of a tenant wait at a time, others are answered at once. Rare types are looked for in 2,000 positions at a time, so an answer may be empty while `hasMore` is true."
        ),
      HttpApiEndpoint.get("get", "/events/:eventId", {
        params: { eventId: EventId },
        success: Event,
        error: eventErrors.EventNotFound
      })
        .annotateMerge(needs("event.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read an event"),
      HttpApiEndpoint.get("ofPolicy", "/policies/:policyId/events", {
        params: { policyId: PolicyId },
        query: ReadPolicyEvents.fields,
        success: PolicyEventPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(access({ scope: "platform/policies", callers: people }))
        .annotateMerge(needs("policy.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the events of a policy")
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: eventErrors, terms: eventTerms, parameters: eventParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Events",
        description: "Events, in order; see `/event-types` for all types."
      })
    )
) {}
