import type { Generation, Operation } from "../../scripts/contract/generation.ts";
import {
  absentMethod,
  byMediaType,
  insufficientSchemes,
  listedAnswers,
  rightParameters,
  wrongFields,
  wrongFormFields,
  wrongParameters,
} from "../contract/cases.ts";
import { exampleRequest, requestTo, type ExampleRequest } from "../fixtures/exampleRequest.ts";

/** A request that can be sent anywhere. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64; empty if there is none. */
  readonly body: string;
}

/** Requests to all operations, right ones and all kinds of wrong ones, and to what is no operation. */
export async function allKindsOfRequests(generations: readonly Generation[]): Promise<readonly PlainRequest[]> {
  const operations = generations.flatMap((generation) => generation.operations);
  const requests = operations.flatMap((operation) => [
    ...rightRequests(operation),
    ...wrongRequests(operation),
    ...withOtherMethods(operation, operations),
  ]);
  const elsewhere = ["/", "/nowhere", "/%zz", "/-/mock/health", "/-/mock/state", "/-/mock/faults"];
  const bare = elsewhere.map((target) => ({ method: "GET", target, headers: {}, body: undefined }));
  const plain = await Promise.all([...requests, ...bare].map(toPlain));
  const unreadable = await Promise.all(operations.map((operation) => withBrokenBodies(exampleRequest(operation))));
  return [...plain, ...unreadable.flat()];
}

function rightRequests(operation: Operation): readonly ExampleRequest[] {
  const request = exampleRequest(operation);
  const named = listedAnswers(operation).map(({ status, example, mediaType }) => {
    const prefer = [`code=${status}`, ...(example === undefined ? [] : [`example=${example}`])].join(", ");
    return withHeaders(request, { prefer, ...(mediaType !== undefined && { accept: mediaType }) });
  });
  const accepting = ["application/xml", "text/plain;q=0.5, */*;q=0.1", "nonsense", "application/json;v=1"];
  return [
    ...[request, ...named, ...rightParameters(operation)],
    ...byMediaType(operation).map((one) => exampleRequest(one.operation)),
    ...accepting.map((accept) => withHeaders(request, { accept })),
    ...["dynamic=true", "dynamic=true, seed=a"].map((prefer) => withHeaders(request, { prefer })),
    request,
  ];
}

function wrongRequests(operation: Operation): readonly ExampleRequest[] {
  const request = exampleRequest(operation);
  const wrong = [...wrongFields(operation), ...wrongFormFields(operation), ...wrongParameters(operation)];
  return [
    ...insufficientSchemes(operation).map((schemes) => exampleRequest(operation, { schemes })),
    ...wrong.map((one) => one.request),
    ...["code=99", "example=none", "delay=many"].map((prefer) => withHeaders(request, { prefer })),
    ...["nonsense", "text/html", "multipart/form-data"].map((type) => withHeaders(request, { "content-type": type })),
    withHeaders(request, { authorization: "Basic ÿ" }),
  ];
}

function withOtherMethods(operation: Operation, operations: readonly Operation[]): readonly ExampleRequest[] {
  const methods = ["HEAD", "OPTIONS", absentMethod(operations, operation.path)];
  return methods.map((method) => ({ ...exampleRequest(operation), method, body: undefined }));
}

function withHeaders(request: ExampleRequest, headers: Readonly<Record<string, string>>): ExampleRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** Bodies that are no JSON, or none that the mock reads. */
const broken = ["{", "[1,]", '"\\uZZ"', "\xff\xfe", "[".repeat(300) + "]".repeat(300)];

async function withBrokenBodies(request: ExampleRequest): Promise<readonly PlainRequest[]> {
  const plain = await toPlain(request);
  return request.body === undefined ? [] : broken.map((body) => ({ ...plain, body: btoa(body) }));
}

async function toPlain(request: ExampleRequest): Promise<PlainRequest> {
  const written = requestTo("http://localhost", request);
  const { method, target } = request;
  // A page may not set cookies itself.
  const headers = Object.fromEntries([...written.headers].filter(([name]) => name !== "cookie"));
  return { method, target, headers, body: Buffer.from(await written.arrayBuffer()).toString("base64") };
}
