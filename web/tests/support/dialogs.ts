/** jsdom draws no dialogs: have them open and close all the same. */
export function giveDialogs() {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
}
