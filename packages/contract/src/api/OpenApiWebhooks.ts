/** The events in the published document: one webhook for each type, named after it. */
import { publishedTypes, type PublishedType } from "@quittance/domain/events/EventSchemas"

const received = { description: "You have the event; any other status has it sent again." }

const webhookOf = ({ dataSchema, example, since, type }: PublishedType) => ({
  post: {
    operationId: `events.on.${type}`,
    summary: `Receive ${type}`,
    description: `Since ${since}.`,
    tags: ["Events"],
    security: [],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Event" },
              {
                type: "object",
                properties: {
                  type: { type: "string", const: type },
                  data: dataSchema
                }
              }
            ]
          },
          example
        }
      }
    },
    responses: { 204: received, default: { description: "Not received." } }
  }
})

/** By type. */
export const eventWebhooks = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(publishedTypes().map((published) => [published.type, webhookOf(published)]))
