/** Offer a file to the reader as a download. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Browsers read the file some time after the click.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
