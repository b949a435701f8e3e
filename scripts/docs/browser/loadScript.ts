/** Loads a script unless the page has it. Resolves to false if loading fails; a later call tries again. */
export function loadScript(address: string): Promise<boolean> {
  if (document.querySelector(`script[src="${address}"]`)) return Promise.resolve(true);
  const script = Object.assign(document.createElement("script"), { src: address });
  document.head.append(script);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  script.addEventListener("load", () => {
    resolve(true);
  });
  script.addEventListener("error", () => {
    script.remove();
    resolve(false);
  });
  return promise;
}
