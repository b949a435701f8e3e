import { load } from "js-yaml";
import { jsonPointer, pointerKeys } from "../../scripts/values/json.ts";

/** Values by JSON Pointer (RFC 6901); `undefined` takes away what is there. */
export type Changes = Readonly<Record<string, unknown>>;

/** A small description that no rule finds fault with. */
const library: unknown = load(`
openapi: 3.1.1
info:
  title: Library
  version: 1.0.0
  description: Lends books.
  license: { name: MIT, identifier: MIT }
  x-unspecified: [rate limits]
servers:
  - url: http://127.0.0.1:4010
tags:
  - { name: Books, description: What the library lends. }
  - { name: Readers, description: Who borrows from it. }
x-tagGroups:
  - { name: Everything, tags: [Books, Readers, Shelves] }
paths:
  /books/{bookId}:
    get:
      operationId: getBook
      summary: Get a book
      description: Finds a book by its number.
      tags: [Books]
      security: [{ key: [] }]
      parameters:
        - name: bookId
          in: path
          required: true
          description: The number on its back.
          schema: { type: integer }
          example: 7
        - name: depth
          in: query
          description: How many levels of its series come along.
          x-unspecified: [default, maximum]
          schema: { type: integer }
      responses:
        "200":
          description: The book.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Book" }
              examples:
                novel:
                  summary: A novel on loan
                  value: { title: Emma, state: LENT, cover: hard, extra: { shelf: 3 } }
        default: { $ref: "#/components/responses/Failure" }
    patch:
      operationId: updateBook
      summary: Update a book
      description: Changes what is known of a book.
      tags: [Books]
      security: [{}, { key: [] }]
      parameters:
        - name: bookId
          in: path
          required: true
          description: The number on its back.
          schema: { type: integer }
          example: 7
      requestBody:
        required: true
        content:
          application/json:
            schema:
              anyOf:
                - $ref: "#/components/schemas/UpdateBookRequest"
                - type: object
                  description: How a book in a series is changed.
                  additionalProperties: true
            examples:
              title:
                summary: Another title
                value: { title: Persuasion }
      responses:
        2XX:
          description: It was changed.
          content:
            application/json:
              schema: {}
        default: { $ref: "#/components/responses/Failure" }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, x-example: a-key, x-unspecified: [lifetime of a key] }
  responses:
    Failure:
      description: Something went wrong.
      content:
        application/json:
          schema: {}
  schemas:
    Book:
      type: object
      description: A book as it stands on the shelf.
      required: [title, state, cover, extra]
      properties:
        title: { type: string, description: What the cover says. }
        state:
          type: string
          description: Where it is now.
          x-extensible-enum: [LENT]
        cover:
          type: string
          description: How it is bound.
          enum: [hard, soft]
          x-closed-enum: there are no others
        extra:
          description: What else is known.
    UpdateBookRequest:
      type: object
      description: What is to change.
      properties:
        title: { type: string, description: The title to come. }
`);

/** The small description with something changed in it. */
export function changeLibrary(changes: Changes): unknown {
  const document = structuredClone(library);
  for (const [pointer, value] of Object.entries(changes)) {
    const keys = pointerKeys(pointer);
    const last = keys.pop() ?? "";
    const parent = keys.reduce(memberOf, document);
    if (typeof parent !== "object" || parent === null) throw new Error(`there is no place for ${pointer}`);
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else Reflect.set(parent, last, value);
  }
  return document;
}

/** JSON Pointers of everything in the small description but the whole. */
export function listPointers(value: unknown = library, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const at = pointer + jsonPointer([key]);
    return [at, ...listPointers(member, at)];
  });
}

function memberOf(parent: unknown, key: string): unknown {
  return typeof parent === "object" && parent !== null ? Reflect.get(parent, key) : undefined;
}
