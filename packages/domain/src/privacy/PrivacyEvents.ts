/** The events of requests of persons. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { CustomerId } from "../values/Ids.ts"
import { PrivacyRequestId } from "./PrivacyRequest.ts"

const request = <const T extends string>(type: T) =>
  recordEventType(type, "privacyRequestId", PrivacyRequestId)

export const privacyEvents = {
  "privacyRequest.create": request("privacy_request.received"),
  "privacyRequest.identify": request("privacy_request.identified"),
  "privacyRequest.extend": request("privacy_request.extended"),
  "privacyRequest.start": request("privacy_request.started"),
  "privacyRequest.complete": request("privacy_request.done"),
  "privacyRequest.refuse": request("privacy_request.refused"),
  "privacyRequest.withdraw": request("privacy_request.withdrawn"),
  "customer.erase": recordEventType("customer.erased", "customerId", CustomerId)
} satisfies Record<string, EventType>
