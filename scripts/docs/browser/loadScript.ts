/** Runs a script, unless the page has it. One that does not come is taken away, so that it can be asked for again. */
export function loadScript(address: string | undefined, { load = nothing, error = nothing }): void {
  if (address === undefined || document.querySelector(`script[src="${address}"]`)) return;
  const script = document.createElement("script");
  script.src = address;
  script.addEventListener("load", load);
  script.addEventListener("error", () => {
    script.remove();
    error();
  });
  document.head.append(script);
}

function nothing(): void {
  // Most scripts need no answer.
}
