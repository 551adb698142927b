"""The console under load: many area chairs at once, and a chair's first sight of a large conference."""
