/** What the members of anonymous sessions mean. */
export const sessionTerms = {
  sessionId: "The session, by its identifier.",
  accessToken: "The token that later requests carry in `authorization: Bearer`; keep it secret.",
  tokenType: "How the token is sent.",
  expiresIn: "Seconds until the token expires.",
  "StartedAnonymousSession.expiresAt": "When the session and its token expire, in UTC.",
  "StartAnonymousSession.productId": "The product that the visitor came for.",
  invitationToken:
    "The secret of an invitation's link, 43 characters; the session gets the permissions of the invitation."
}
