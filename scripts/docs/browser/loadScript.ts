/** Runs a script, unless the page has it. One that does not come is taken away, so that it can be asked for again. */
export function loadScript(address: string | undefined, onError?: () => void, onLoad?: () => void): void {
  if (address === undefined || document.querySelector(`script[src="${address}"]`)) return;
  const script = document.createElement("script");
  script.src = address;
  script.addEventListener("load", () => onLoad?.());
  script.addEventListener("error", () => {
    script.remove();
    onError?.();
  });
  document.head.append(script);
}
