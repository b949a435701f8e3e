/** Escapes all Markdown characters in a text (CommonMark 0.31, section 2.4). */
export function escapeMarkdown(text: string): string {
  if (!/[\\`*[\]~_<&]|^[-+>#=\d]/.test(text)) return text;
  return text
    .replaceAll(/[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/gi, String.raw`\$&`)
    .replace(/^(?:[-+](?=\s)|>|#+(?=\s|$)|=+$)/, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/, "$&\\");
}

/** A text as a code span in Markdown, even if it contains backticks. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + text + fence : `${fence} ${text} ${fence}`;
}
