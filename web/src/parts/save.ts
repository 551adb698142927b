// Gives the reader a file that was made in the page.
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download has taken hold of the bytes by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
