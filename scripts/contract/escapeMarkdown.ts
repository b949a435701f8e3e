/** Escapes all Markdown characters in a text (CommonMark 0.31, section 2.4). */
export function escapeMarkdown(text: string): string {
  if (!/[\\`*[\]~_<&]|^[-+>#=\d]/.test(text)) return text;
  return text
    .replaceAll(/[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/gi, String.raw`\$&`)
    .replace(/^(?:[-+](?=\s)|>|#+(?=\s|$)|=+$)/, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/, "$&\\");
}
