import type { TextFile } from "../command/files.ts";
import { isObject } from "../values/json.ts";

/** What programs import most. Node.js looks for these names before it runs a module. */
const names = [
  ...["createClient", "paginate", "renewing", "unwrap", "ApiError", "NetworkError", "NotSentError"],
  ...["fetchWithRetry", "fetchWithTimeout", "createMock", "startMock"],
];

/**
 * Creates the module of the package's root, which throws an error that names the entries to import instead.
 * Takes the package's name and its `exports`. The declarations export nothing.
 */
export function makeRootModule(name: string, exports: Readonly<Record<string, unknown>>): readonly TextFile[] {
  const modules = Object.entries(exports).filter(([path, target]) => path !== "." && isObject(target));
  const entries = modules.map(([path]) => path.replace(".", name));
  const message = `${name} has no module at its root: import ${entries.join(", ")}`;
  return [
    { path: "index.js", content: `export let ${names.join(", ")};\nthrow new Error(${JSON.stringify(message)});\n` },
    { path: "index.d.ts", content: `/** Import one of the entries: ${entries.join(", ")}. */\nexport {};\n` },
  ];
}
