import js from "@eslint/js";

const browser = [
  "Blob",
  "CSS",
  "CSSMediaRule",
  "DataView",
  "DecompressionStream",
  "Event",
  "MediaRecorder",
  "MutationObserver",
  "ResizeObserver",
  "Response",
  "TextDecoder",
  "URL",
  "URLSearchParams",
  "WebSocket",
  "atob",
  "cancelAnimationFrame",
  "clearTimeout",
  "crypto",
  "document",
  "getComputedStyle",
  "location",
  "navigator",
  "performance",
  "requestAnimationFrame",
  "setTimeout",
  "window",
];

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      "no-implicit-globals": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "max-len": ["error", { code: 120, ignoreTemplateLiterals: true, ignoreStrings: true, ignoreComments: true }],
    },
  },
];
