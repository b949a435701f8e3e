// What the client takes from openapi-fetch (0.17), which no other module imports: its interface, and one function.
// "Decisions" in scripts/README.md says why.
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
