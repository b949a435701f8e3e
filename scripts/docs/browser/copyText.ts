/**
 * Copies a text. Rejects if the browser doesn't let the page: the clipboard exists only on trustworthy origins, and may
 * be denied. Safari denies it after the click, but accepts a promise that is made in time (WebKit 2.50).
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  const content = Promise.resolve(text).then((copied) => new Blob([copied], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": content })]);
}
