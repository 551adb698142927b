"""Kills, stops and shortages: what an operator meets sooner or later, many times over."""
