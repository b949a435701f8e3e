import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["generated/docs/", "generated/package/", "test/package/fixtures/", "*.js"]),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // A cast hides a wrong type from the compiler; a type guard or `satisfies` does not.
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      // Status codes and counts read well inside a template literal.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
);
