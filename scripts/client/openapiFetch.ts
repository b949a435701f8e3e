// The client's only imports from openapi-fetch (0.17): its interface, and one function. See "Decisions" in
// scripts/README.md.
export { mergeHeaders } from "openapi-fetch";
export type {
  BodySerializer,
  Client,
  ClientOptions,
  Middleware,
  MiddlewareCallbackParams,
  ParseAs,
  QuerySerializer,
  QuerySerializerOptions,
} from "openapi-fetch";
