import { test } from "vitest";
import { expectAsModel } from "./stateModel.ts";

test("12 runs of requests get what a plain model of the service says, and what the contract allows", () =>
  expectAsModel(12));
