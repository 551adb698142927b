"""Running trials: samples, cases, the runner, and the store of finished trials."""
